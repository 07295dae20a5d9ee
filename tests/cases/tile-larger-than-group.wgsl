// The tile is of 16 by 16, the workgroup of 8 by 8 loads a quarter.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<array<f32, 16>, 16>;
@compute @workgroup_size(8, 8)
fn main(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_id) l: vec3u) {
#ifdef FIXED
  for (var y = l.y; y < 16u; y += 8u) {
    for (var x = l.x; x < 16u; x += 8u) { tile[y][x] = src[(w.y * 16u + y) * 32u + w.x * 16u + x]; }
  }
#else
  tile[l.y][l.x] = src[(w.y * 16u + l.y) * 32u + w.x * 16u + l.x];
#endif
  workgroupBarrier();
  for (var y = l.y; y < 16u; y += 8u) {
    for (var x = l.x; x < 16u; x += 8u) {
      dst[(w.x * 16u + x) * 32u + w.y * 16u + y] = tile[y][15u - x];
    }
  }
}
