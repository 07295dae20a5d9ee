// Invocations beyond the data return before the barriers of a reduction.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> sums: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) id: vec3u,
        @builtin(workgroup_id) wg: vec3u) {
#ifdef FIXED
  if (id.x < arrayLength(&src)) { sums[li] = src[id.x]; } else { sums[li] = 0u; }
#else
  if (id.x >= arrayLength(&src)) { return; }
  sums[li] = src[id.x];
#endif
  for (var s = 32u; s > 0u; s /= 2u) {
    workgroupBarrier();
    if (li < s) { sums[li] += sums[li + s]; }
  }
  if (li == 0u) { dst[wg.x] = sums[0]; }
}
