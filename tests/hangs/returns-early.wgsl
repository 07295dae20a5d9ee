// The one that all wait for returns before it has told them.
@group(0) @binding(0) var<storage, read_write> ready: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> work: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (id.x == 0) {
    if (work[lane] == 0) { return; }
    work[lane] = 0;
    if (lane == 0) { atomicStore(&ready, 1); }
    return;
  }
  while (atomicLoad(&ready) == 0) {}
}
