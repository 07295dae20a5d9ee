// The first waits for the last; the others end and make room for it.
@group(0) @binding(0) var<storage, read_write> ready: atomic<u32>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) all: vec3u) {
  if (id.x + 1 == all.x) { atomicStore(&ready, 1); }
  if (id.x == 0) { while (atomicLoad(&ready) == 0) {} }
}
