// One invocation waits for a flag that the others set behind the barrier.
@group(0) @binding(0) var<storage, read_write> dst: array<u32, 64>;
var<workgroup> go: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  workgroupBarrier();
  if (li == 63u) { atomicStore(&go, 1u); }
  workgroupBarrier();
  if (li == 0u) { while (atomicLoad(&go) == 0u) {} }
#else
  if (li == 0u) { while (atomicLoad(&go) == 0u) {} }
  workgroupBarrier();
  if (li == 63u) { atomicStore(&go, 1u); }
#endif
  dst[li] = li;
}
