// A stencil in place, over several workgroups.
@group(0) @binding(0) var<storage, read_write> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = id.x + 1u;
  let y = id.y + 1u;
  if (x > 30u || y > 30u) { return; }
  let i = y * 32u + x;
  let o = id.y * 30u + id.x;
  b[o] = 0.25 * (a[i - 1u] + a[i + 1u] + a[i - 32u] + a[i + 32u]);
#ifndef FIXED
  a[i] = b[o];
#endif
}
