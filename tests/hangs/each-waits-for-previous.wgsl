// A chain towards lower ids.
@group(0) @binding(0) var<storage, read_write> flags: array<atomic<u32>>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) {
  if (id.x > 0) { while (atomicLoad(&flags[id.x - 1]) == 0) {} }
  atomicStore(&flags[id.x], 1);
}
