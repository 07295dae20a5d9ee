// The block before is clamped to the last block.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
struct Neighbours { left: vec2u, up: vec2u }
fn around(p: vec2u) -> Neighbours {
  var n: Neighbours;
#ifdef FIXED
  n.left = vec2u(max(p.x, 1u) - 1u, p.y);
  n.up = vec2u(p.x, max(p.y, 1u) - 1u);
#else
  n.left = vec2u(p.x - 1u, p.y);
  n.up = vec2u(p.x, p.y - 1u);
#endif
  return n;
}
fn at(p: vec2u) -> u32 {
  let q = min(p, vec2u(7u));
  return src[q.y * 8u + q.x];
}
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let n = around(id.xy);
  dst[id.y * 8u + id.x] = at(n.left) + at(n.up) + at(id.xy);
}
