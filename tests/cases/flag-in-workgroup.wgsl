// One invocation sets an atomic flag of its workgroup and others wait for it: the result does not
// depend on the order. Faulty, they look once.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> ready: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  if (li == SETTER) { atomicStore(&ready, 7u); }
#ifdef FIXED
  while (atomicLoad(&ready) == 0u) {}
  dst[li] = 7u;
#else
  dst[li] = atomicLoad(&ready);
#endif
}
