// The last tile is not full, and what it does not overwrite is summed once more.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> tile: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  let n = arrayLength(&src);
  var acc = 0u;
  for (var k = 0u; k < n; k += 64u) {
    if (k + li < n) { tile[li] = src[k + li]; }
#ifdef FIXED
    else { tile[li] = 0u; }
#endif
    workgroupBarrier();
    for (var j = 0u; j < 64u; j++) { acc += tile[j]; }
    workgroupBarrier();
  }
  dst[li] = acc;
}
