// The place before the first is computed and held inside, by way of a name, a function or a member.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

struct Sides { before: u32, behind: u32, weight: f32 }

#ifdef FIXED
fn less(i: u32, by: u32) -> u32 { return max(i, by) - by; }
#else
fn less(i: u32, by: u32) -> u32 { return i - by; }
#endif
fn held(i: u32, n: u32) -> u32 { return min(i, n - 1u); }
fn sides(i: u32) -> Sides { return Sides(less(i, 1u), i + 1u, 0.5); }
fn at(p: vec2u) -> u32 { return src[min(p.y, 7u) * 8u + min(p.x, 7u)]; }

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  let n = arrayLength(&src);
  var s = 0u;
#if WAY == 1
  let left = less(li, 1u);
  s = src[min(left, n - 1u)];
#elif WAY == 2
  var left = li;
#ifdef FIXED
  if (left > 0u) { left--; }
#else
  left--;
#endif
  left = min(left, n - 1u);
  s = src[left];
#elif WAY == 3
  s = src[held(less(li, 1u), n)];
#elif WAY == 4
  let c = sides(li);
  s = src[min(c.before, n - 1u)] + src[min(c.behind, n - 1u)];
#elif WAY == 5
  var c: Sides;
  c.before = li;
  c.before = less(c.before, 1u);
  s = src[clamp(c.before, 0u, n - 1u)];
#elif WAY == 6
#ifdef FIXED
  s = at(max(vec2u(li % 8u, li / 8u), vec2u(1u, 0u)) - vec2u(1u, 0u));
#else
  let p = vec2u(li % 8u, li / 8u) - vec2u(1u, 0u);
  s = at(p);
#endif
#elif WAY == 7
#ifdef FIXED
  let left = (li + 62u) % 63u;
#else
  let left = (li - 1u) % 63u;
#endif
  s = src[left];
#elif WAY == 8
  let x = i32(li) - 1;
#ifdef FIXED
  s = src[u32(clamp(x, 0, i32(n) - 1))];
#else
  s = src[min(u32(x), n - 1u)];
#endif
#elif WAY == 9
  var table = array<u32, 4>(1u, 2u, 3u, 4u);
  let k = less(li % 4u, 1u);
  s = table[min(k, 3u)];
#elif WAY == 10
  let b = select(less(li, 1u), 0u, li == 5u);
  s = src[min(b, n - 1u)];
#elif WAY == 11
  let word = less(li, 4u) / 4u;
  s = src[min(word, n - 1u)];
#elif WAY == 12
  let p = vec3u(li, li, li);
  let q = min(p - vec3u(1u, 0u, 0u), vec3u(n - 1u));
#ifdef FIXED
  s = src[q.y];
#else
  s = src[q.x];
#endif
#endif
  dst[li] = s;
}
