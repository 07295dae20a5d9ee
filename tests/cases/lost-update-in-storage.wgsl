// Counters in storage by an atomic load and an atomic store; the fixed one keeps the two apart by a
// slot of its own for each invocation.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  let slot = id.x;
#else
  let slot = src[id.x] % 4u;
#endif
  let old = atomicLoad(&counts[slot]);
  atomicStore(&counts[slot], old + src[id.x]);
}
