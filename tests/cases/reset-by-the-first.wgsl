// The first invocation hands over the count and clears it for the next frame, while others count.
@group(0) @binding(0) var<storage, read_write> count: array<atomic<u32>, 2>;
@group(0) @binding(1) var<storage, read> alive: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u) {
  if (alive[g.x] % 5u != 0u) { atomicAdd(&count[0], 1u); }
#ifndef FIXED
  storageBarrier();
  if (g.x == 0u) { atomicExchange(&count[1], atomicLoad(&count[0])); atomicStore(&count[0], 0u); }
#endif
}
