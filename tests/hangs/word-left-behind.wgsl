// A leader that ends before the others have looked leaves its word behind: no hang.
@group(0) @binding(0) var<storage, read_write> ready: array<atomic<u32>, 2>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) {
  if (id.x == 0) { atomicStore(&ready[1], 9); return; }
  while (atomicLoad(&ready[1]) != 9) {}
}
