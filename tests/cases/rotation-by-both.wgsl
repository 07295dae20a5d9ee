// Pairs of half a row apart are rotated, each by both of its ends.
@group(0) @binding(0) var<storage, read_write> x: array<f32, 128>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x % 64u;
#ifdef FIXED
  if (id.x >= 64u) { return; }
#endif
  let a = x[i];
  let b = x[i + 64u];
  x[i] = a * 0.8 - b * 0.6;
  x[i + 64u] = a * 0.6 + b * 0.8;
}
