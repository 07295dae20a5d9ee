// The steps within 32 lanes of a reduction, without barriers.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> sums: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wg: vec3u) {
  sums[li] = src[wg.x * 64u + li];
  workgroupBarrier();
#ifdef FIXED
  for (var s = 32u; s > 0u; s /= 2u) {
    var sum = 0.0;
    if (li < s) { sum = sums[li] + sums[li + s]; }
    workgroupBarrier();
    if (li < s) { sums[li] = sum; }
    workgroupBarrier();
  }
#else
  if (li < 32u) {
    sums[li] += sums[li + 32u];
    sums[li] += sums[li + 16u];
    sums[li] += sums[li + 8u];
    sums[li] += sums[li + 4u];
    sums[li] += sums[li + 2u];
    sums[li] += sums[li + 1u];
  }
#endif
  if (li == 0u) { dst[wg.x] = sums[0]; }
}
