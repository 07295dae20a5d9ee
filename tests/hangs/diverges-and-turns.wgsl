// Barriers of two endless loops that open for each other.
@group(0) @binding(0) var<storage, read_write> out: array<u32, 64>; @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
  if (lane % 2 == 0) { loop { workgroupBarrier(); if (out[0] == 1) { break; } } }
  else { loop { storageBarrier(); if (out[0] == 1) { break; } } }
}
