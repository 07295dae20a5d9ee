// Waits for one of two flags; the last sets the second.
struct Flags { unused: u32, any: array<atomic<u32>, 2> }
@group(0) @binding(0) var<storage, read_write> flags: Flags;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) all: vec3u) {
  if (id.x + 1 == all.x) { atomicStore(&flags.any[1], 5); }
  while (atomicLoad(&flags.any[0]) == 0 && atomicLoad(&flags.any[1]) == 0) {}
}
