// What the second waits for has been and gone.
@group(0) @binding(0) var<storage, read_write> stage: atomic<u32>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) {
  if (id.x == 0) { atomicStore(&stage, 1); atomicStore(&stage, 2); }
  if (id.x == 1) { while (atomicLoad(&stage) != 1) {} }
}
