// The value of the next workgroup, written in the same dispatch.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wg: vec3u) {
  if (li == 0u) { sums[wg.x] = src[wg.x] * 2u; }
  storageBarrier();
#ifdef FIXED
  dst[wg.x * 64u + li] = sums[wg.x] + li;
#else
  dst[wg.x * 64u + li] = sums[(wg.x + 1u) % 4u] + li;
#endif
}
