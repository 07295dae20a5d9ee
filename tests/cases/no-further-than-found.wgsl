// What is read only saves work: the lowest place is found in any order.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> first: atomic<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u) {
  if (atomicLoad(&first) < g.x) { return; }
  if (src[g.x] % 50u == 49u) { atomicMin(&first, g.x); }
}
