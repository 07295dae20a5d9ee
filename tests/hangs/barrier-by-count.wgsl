// A barrier whose counter wraps round.
@group(0) @binding(0) var<storage, read_write> arrived: atomic<u32>;
@compute @workgroup_size(1) fn main(@builtin(num_workgroups) all: vec3u) {
  let first = 0xfffffffdu;
  for (var round = 1u; round <= 3; round++) {
    atomicAdd(&arrived, 1);
    while (atomicLoad(&arrived) - first < round * all.x) {}
  }
}
