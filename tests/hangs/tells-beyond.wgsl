// The flags are too few: what is told the last but one is told beyond the end.
@group(0) @binding(0) var<storage, read_write> flags: array<atomic<u32>, 4>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) {
  atomicStore(&flags[id.x * 2], 1);
  while (atomicLoad(&flags[1]) == 0) {}
}
