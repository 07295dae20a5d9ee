// Relaxation in place, of every other cell: neighbours of one colour must not be neighbours.
@group(0) @binding(0) var<storage, read_write> p: array<f32, 1156>;
@compute @workgroup_size(16, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  let odd = (id.x + id.y) % 2u == 1u;
#else
  let odd = id.x % 2u == 1u;
#endif
  if (odd) {
    let i = (id.y + 1u) * 34u + id.x + 1u;
    p[i] = 0.25 * (p[i - 1u] + p[i + 1u] + p[i - 34u] + p[i + 34u]);
  }
}
