// Local counts by digit, a place in the output from one global counter each.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>, 4>;
@group(0) @binding(2) var<storage, read_write> dst: array<u32>;
var<workgroup> local: array<atomic<u32>, 4>;
var<workgroup> first: array<u32, 4>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) id: vec3u) {
  let digit = src[id.x] % 4u;
  let mine = atomicAdd(&local[digit], 1u);
#ifdef FIXED
  workgroupBarrier();
#endif
  if (li < 4u) { first[li] = atomicAdd(&counts[li], atomicLoad(&local[li])); }
  workgroupBarrier();
  dst[digit * 256u + first[digit] + mine] = src[id.x];
}
