// Lanes turn unequally often in a loop with a barrier.
@group(0) @binding(0) var<storage, read_write> out: array<u32, 64>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
  for (var i = 0u; i <= lane % 2; i++) { workgroupBarrier(); }
#ifdef BEHIND
  storageBarrier();
#endif
  out[lane] = 1;
}
