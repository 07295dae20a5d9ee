// All of two axes wait for the last of both.
@group(0) @binding(0) var<storage, read_write> ready: atomic<u32>;
@compute @workgroup_size(4, 4) fn main(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  if (all(id + 1 == count)) { atomicStore(&ready, 1); }
  while (atomicLoad(&ready) == 0) {}
}
