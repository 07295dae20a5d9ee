// Clean both ways: the border of the result keeps its values.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = (id.y + 1u) * 18u + id.x + 1u;
  dst[i] = 0.25 * (src[i - 1u] + src[i + 1u] + src[i - 18u] + src[i + 18u]);
}
