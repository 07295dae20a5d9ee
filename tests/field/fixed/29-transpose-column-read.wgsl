// Rows padded by one element.

@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<array<f32, 33>, 32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(local_invocation_id) l: vec3u) {
  for (var r = 0u; r < 32u; r += 8u) {
    tile[l.y + r][l.x] = src[(l.y + r) * 32u + l.x];
  }
  workgroupBarrier();
  for (var r = 0u; r < 32u; r += 8u) {
    dst[(l.y + r) * 32u + l.x] = tile[l.x][l.y + r];
  }
}
