// Waits with a storageBarrier in the loop.
@group(0) @binding(0) var<storage, read_write> ready: atomic<u32>;
@group(0) @binding(1) var<uniform> never: u32;
@compute @workgroup_size(32) fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  for (var i = 0u; i != 1; i += never) {
    storageBarrier();
    if (lane == 0 && id.x == 0) { atomicStore(&ready, 1); }
  }
}
