// Lane after lane of one workgroup: each waits for the one before.
var<workgroup> turn: atomic<u32>;
@group(0) @binding(0) var<storage, read_write> order: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
  while (atomicLoad(&turn) != lane) {}
  order[lane] = lane;
  atomicStore(&turn, lane + 1);
}
