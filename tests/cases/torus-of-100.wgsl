// A world without edges, of 100 by 100: left of the first is the last.
struct Size { x: u32, y: u32 }
@group(0) @binding(0) var<storage, read> now: array<u32>;
@group(0) @binding(1) var<storage, read_write> next: array<u32>;
@group(0) @binding(2) var<uniform> size: Size;
fn at(x: u32, y: u32) -> u32 {
  let row = y % size.y;
  let column = x % size.x;
  return now[row * size.x + column] & 1u;
}
@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= size.x || id.y >= size.y) { return; }
#ifdef FIXED
  let n = at(id.x + size.x - 1u, id.y) + at(id.x + 1u, id.y) + at(id.x, id.y + size.y - 1u) + at(id.x, id.y + 1u);
#else
  let n = at(id.x - 1u, id.y) + at(id.x + 1u, id.y) + at(id.x, id.y - 1u) + at(id.x, id.y + 1u);
#endif
  next[id.y * size.x + id.x] = n;
}
