// Clean both ways: signed places are held inside before they are used.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
fn at(p: vec2i) -> f32 {
  let q = clamp(p, vec2i(0), vec2i(15));
  return src[q.y * 16 + q.x];
}
fn other(p: vec2u, d: vec2i) -> f32 {
  let x = u32(max(0, min(i32(p.x) + d.x, 15)));
  let y = u32(max(0, min(i32(p.y) + d.y, 15)));
  return src[y * 16u + x];
}
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let p = vec2i(id.xy);
  var s = 0.0;
  for (var dy = -2; dy <= 2; dy++) {
    for (var dx = -2; dx <= 2; dx++) { s += at(p + vec2i(dx, dy)) + other(id.xy, vec2i(dx, dy)); }
  }
  dst[id.y * 16u + id.x] = s;
}
