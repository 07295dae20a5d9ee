// An image of 32 by 34 with workgroups of 8 by 8: 34 / 8 is rounded down.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.y < 34u) { dst[id.y * 32u + id.x] = id.x; }
}
