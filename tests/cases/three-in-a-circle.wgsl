// Each of three workgroups waits for the next one.
@group(0) @binding(0) var<storage, read_write> done: array<atomic<u32>, 3>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) w: vec3u) {
#ifdef FIXED
  atomicStore(&done[w.x], 1u);
#endif
  while (atomicLoad(&done[(w.x + 1u) % 3u]) == 0u) {}
  atomicStore(&done[w.x], 1u);
}
