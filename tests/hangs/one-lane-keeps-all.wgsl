// One lane waits for what nobody does, and the others for it at a barrier.
@group(0) @binding(0) var<storage, read_write> ready: atomic<u32>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
  if (lane == 41) { while (atomicLoad(&ready) == 0) {} }
  workgroupBarrier();
}
