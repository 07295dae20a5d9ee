// Springs between neighbours move both ends: every other spring at a time.
@group(0) @binding(0) var<storage, read_write> pos: array<f32, 128>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  let a = 2u * id.x;
#else
  let a = id.x;
#endif
  let b = a + 1u;
  if (b >= 128u) { return; }
  let d = (pos[b] - pos[a] - 1.0) * 0.5;
  pos[a] += d;
  pos[b] -= d;
}
