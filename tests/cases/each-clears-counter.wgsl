// Every workgroup clears the counter of all.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> count: atomic<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) li: u32) {
#ifndef FIXED
  if (li == 0u) { atomicStore(&count, 0u); }
  storageBarrier();
#endif
  if (src[g.x] % 3u == 0u) { atomicAdd(&count, 1u); }
}
