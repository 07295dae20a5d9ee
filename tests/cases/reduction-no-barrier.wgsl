// A tree reduction whose steps have no barrier between them.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> sums: array<u32, 128>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wg: vec3u) {
  sums[li] = src[wg.x * 128u + li];
  workgroupBarrier();
  for (var s = 64u; s > 0u; s /= 2u) {
    if (li < s) { sums[li] += sums[li + s]; }
#ifdef FIXED
    workgroupBarrier();
#endif
  }
  if (li == 0u) { dst[wg.x] = sums[0]; }
}
