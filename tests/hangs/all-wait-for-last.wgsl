// All wait for the last: all must be resident.
@group(0) @binding(0) var<storage, read_write> ready: atomic<u32>;
@compute @workgroup_size(64) fn main(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) all: vec3u,
                                     @builtin(local_invocation_index) lane: u32) {
  if (id.x + 1 == all.x && lane == 0) { atomicStore(&ready, 7); }
  while (atomicLoad(&ready) != 7) {}
}
