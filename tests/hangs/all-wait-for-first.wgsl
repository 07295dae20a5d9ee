// All wait for the first: right where it starts first.
@group(0) @binding(0) var<storage, read_write> ready: atomic<u32>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) {
  if (id.x == 0) { atomicStore(&ready, 1); }
  while (atomicLoad(&ready) == 0) {}
}
