// Waits by plain loads.
@group(0) @binding(0) var<storage, read_write> ready: array<u32, 1>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) all: vec3u) {
  if (id.x + 1 == all.x) { ready[0] = 1; }
  while (ready[0] == 0) {}
}
