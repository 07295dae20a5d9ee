// A square tile read by columns, with and without one element of padding.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
#ifdef FIXED
var<workgroup> tile: array<array<f32, 33>, 32>;
#else
var<workgroup> tile: array<array<f32, 32>, 32>;
#endif

@compute @workgroup_size(32, 8)
fn main(@builtin(local_invocation_id) l: vec3u) {
  for (var y = l.y; y < 32u; y += 8u) { tile[y][l.x] = src[y * 32u + l.x]; }
  workgroupBarrier();
  for (var y = l.y; y < 32u; y += 8u) { dst[y * 32u + l.x] = tile[l.x][y]; }
}
