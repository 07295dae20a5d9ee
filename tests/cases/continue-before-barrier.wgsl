// Whoever has nothing to load goes on with the next turn, past the barriers.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<f32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var s = 0.0;
  for (var base = 0u; base < 200u; base += 64u) {
#ifdef FIXED
    tile[li] = 0.0;
    if (base + li < 200u) { tile[li] = src[base + li]; }
#else
    if (base + li >= 200u) { continue; }
    tile[li] = src[base + li];
#endif
    workgroupBarrier();
    for (var k = 0u; k < min(64u, 200u - base); k++) { s += tile[k]; }
    workgroupBarrier();
  }
  dst[li] = s;
}
