// Clean both ways: what wraps around 2^32 is not used as an index, or wraps back before it is, or is a hash.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
override pitch = 0x10000000u;

struct Sides { before: u32, behind: u32, weight: f32 }
fn sides(i: u32) -> Sides { return Sides(i - 1u, i + 1u, 0.5); }
fn next(h: u32) -> u32 { return h * 1664525u + 1013904223u; }

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  let n = arrayLength(&src);
  let left = li - 1u;
  var s = 0u;
#ifdef FIXED
  // rings, and places that come back
  s += src[(li + n - 1u) % n] + src[(left + n) % n] + src[left & 63u] + src[left % 64u];
  let back = li - 5u;
  s += src[back + 5u] + src[max(li, 1u) - 1u];
  let y = i32(li / 8u) - 1;
  let row = u32(y + 1) * 8u;
  s += src[min(row, n - 1u)] + src[min(u32(y) * 8u + 8u, n - 1u)];
  for (var i = 7u; i < 8u; i--) { s += src[i]; }
  // hashes
  var h = next(li * 2654435761u);
  s += src[h % 63u] + src[h >> 26u] + src[(h >> 4u) % 63u] + src[h & 63u];
  h = next(h);
  s += src[(h / 67108865u) % 64u];
  // a part that is not known beforehand is given another value
  var v = vec2u(li, li) - 1u;
  v[li % 2u] = 3u;
  v[(li + 1u) % 2u] = 3u;
  s += src[min(v.x, n - 1u)];
#else
  // guards
  if (left < n) { s += src[left]; }
  let held = select(left, 0u, li == 0u);
  s += src[min(held, n - 1u)];
  let x = i32(li - 1u);
  if (x >= 0) { s += src[min(u32(x), n - 1u)]; }
  let p = vec2u(li % 8u, li / 8u) - vec2u(1u, 0u);
  if (p.x < 8u) { s += src[p.y * 8u + p.x]; }
  let c = sides(li);
  if (li > 0u) { s += src[min(c.before, n - 1u)]; }
  var other = li - 1u;
  if (li == 0u) { other = 0u; }
  s += src[min(other, n - 1u)];
  let far = li * 16u * pitch + li;
  if (li == 0u) { s += src[far]; }
  let q = vec2i(vec2u(li % 8u, li / 8u)) - vec2i(1);
  let r = vec2u(clamp(q, vec2i(0), vec2i(7)));
  s += src[r.y * 8u + r.x];
#endif
  dst[li] = s;
}
