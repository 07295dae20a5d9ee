// Labels go from neighbour to neighbour: how far in one dispatch is not asked.
@group(0) @binding(0) var<storage, read_write> label: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u) {
  for (var k = 0u; k < 300u; k++) {
    let l = atomicLoad(&label[g.x]);
    if (g.x + 1u < 256u) { atomicMin(&label[g.x + 1u], l); }
    if (g.x > 0u) { atomicMin(&label[g.x - 1u], l); }
  }
}
