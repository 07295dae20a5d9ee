// Two that hand a ball to and fro.
@group(0) @binding(0) var<storage, read_write> ball: atomic<u32>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) {
  for (var i = 0u; i < 5; i++) {
    while (atomicLoad(&ball) != 2 * i + id.x) {}
    atomicStore(&ball, 2 * i + id.x + 1);
  }
}
