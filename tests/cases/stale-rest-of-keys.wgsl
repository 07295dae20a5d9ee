// The last block of keys is shorter: the scores of the rest are those of the block before.
@group(0) @binding(0) var<storage, read> keys: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<f32, 32>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) li: u32) {
  var s = 0.0;
  let blocks = (arrayLength(&keys) + 31u) / 32u;
  for (var b = 0u; b < blocks; b++) {
    let i = b * 32u + li;
#ifdef FIXED
    tile[li] = 0.0;
#endif
    if (i < arrayLength(&keys)) { tile[li] = keys[i]; }
    workgroupBarrier();
    for (var k = 0u; k < 32u; k++) { s += tile[k] * f32(li); }
    workgroupBarrier();
  }
  dst[li] = s;
}
