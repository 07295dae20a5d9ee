// Two chains, one of even ids and one of odd ones: with all but one resident the last makes room.
@group(0) @binding(0) var<storage, read_write> flags: array<atomic<u32>>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) all: vec3u) {
  if (id.x + 2 < all.x) { while (atomicLoad(&flags[id.x + 2]) == 0) {} }
  atomicStore(&flags[id.x], 1);
}
