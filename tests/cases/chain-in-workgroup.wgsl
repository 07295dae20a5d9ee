// Invocations take turns by one atomic of their workgroup, each behind the one before.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> turn: atomic<u32>;
var<workgroup> sum: atomic<u32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  while (atomicLoad(&turn) != li) {}
#endif
  let s = atomicLoad(&sum);
  atomicStore(&sum, s * 2u + li);
  atomicStore(&turn, li + 1u);
  workgroupBarrier();
  dst[li] = atomicLoad(&sum);
}
