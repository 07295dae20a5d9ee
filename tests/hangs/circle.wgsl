// Each waits for the next before it tells the one before.
@group(0) @binding(0) var<storage, read_write> flags: array<atomic<u32>>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) all: vec3u) {
  while (atomicLoad(&flags[(id.x + 1) % all.x]) == 0) {}
  atomicStore(&flags[id.x], 1);
}
