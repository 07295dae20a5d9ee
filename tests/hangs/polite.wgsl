// Two that each give way to the other.
@group(0) @binding(0) var<storage, read_write> wants: array<atomic<u32>, 2>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) {
  loop {
    atomicStore(&wants[id.x], 1);
    if (atomicLoad(&wants[1 - id.x]) == 0) { break; }
    atomicStore(&wants[id.x], 0);
  }
  atomicStore(&wants[id.x], 0);
}
