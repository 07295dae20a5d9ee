// Looks again after 1, 4, 13, 40, ... turns modulo 13, for what nobody does.
@group(0) @binding(0) var<storage, read_write> ready: atomic<u32>;
@compute @workgroup_size(32) fn main(@builtin(local_invocation_index) lane: u32) {
  var pause = lane % 5;
  while (atomicLoad(&ready) == 0) {
    pause = (pause * 3 + 1) % 13;
    for (var i = 0u; i < pause; i++) {}
  }
}
