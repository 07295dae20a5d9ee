// Two tiles in turn: the next is loaded behind the barrier into the one that is read.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<array<f32, 64>, 2>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var s = 0.0;
  tile[0][li] = src[li];
  for (var t = 0u; t < 8u; t++) {
    workgroupBarrier();
#ifdef FIXED
    let next = (t + 1u) & 1u;
#else
    let next = t & 1u;
#endif
    if (t < 7u) { tile[next][li] = src[(t + 1u) * 64u + li]; }
    for (var k = 0u; k < 64u; k++) { s += tile[t & 1u][k]; }
  }
  dst[li] = s;
}
