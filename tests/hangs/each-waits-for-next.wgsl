// A chain towards higher ids, of which the last is free.
@group(0) @binding(0) var<storage, read_write> flags: array<atomic<u32>>;
@compute @workgroup_size(32) fn main(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) all: vec3u,
                                     @builtin(local_invocation_index) lane: u32) {
  if (lane != 0) { return; }
  if (id.x + 1 < all.x) { while (atomicLoad(&flags[id.x + 1]) == 0) {} }
  atomicStore(&flags[id.x], 1);
}
