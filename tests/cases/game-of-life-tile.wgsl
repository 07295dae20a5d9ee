// A tile with a halo whose corners nobody loads.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> t: array<array<u32, 18>, 18>;

fn cell(x: i32, y: i32) -> u32 { return src[u32((y + 64) % 64) * 64u + u32((x + 64) % 64)] & 1u; }

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) l: vec3u) {
  let x = i32(id.x);
  let y = i32(id.y);
  t[l.y + 1u][l.x + 1u] = cell(x, y);
  if (l.x == 0u) { t[l.y + 1u][0] = cell(x - 1, y); }
  if (l.x == 15u) { t[l.y + 1u][17] = cell(x + 1, y); }
  if (l.y == 0u) { t[0][l.x + 1u] = cell(x, y - 1); }
  if (l.y == 15u) { t[17][l.x + 1u] = cell(x, y + 1); }
#ifdef FIXED
  if (l.x == 0u && l.y == 0u) { t[0][0] = cell(x - 1, y - 1); }
  if (l.x == 15u && l.y == 0u) { t[0][17] = cell(x + 1, y - 1); }
  if (l.x == 0u && l.y == 15u) { t[17][0] = cell(x - 1, y + 1); }
  if (l.x == 15u && l.y == 15u) { t[17][17] = cell(x + 1, y + 1); }
#endif
  workgroupBarrier();
  var n = 0u;
  for (var dy = 0u; dy < 3u; dy++) {
    for (var dx = 0u; dx < 3u; dx++) { n += t[l.y + dy][l.x + dx]; }
  }
  n -= t[l.y + 1u][l.x + 1u];
  dst[id.y * 64u + id.x] = u32(n == 3u || (n == 2u && t[l.y + 1u][l.x + 1u] == 1u));
}
