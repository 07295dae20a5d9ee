// Tiles of a matrix of 20 columns, eight at a time: the last has columns of the one before.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<array<f32, 8>, 8>;

@compute @workgroup_size(8, 8)
fn main(@builtin(local_invocation_id) l: vec3u) {
  var sum = 0.0;
  for (var k = 0u; k < 20u; k += 8u) {
    if (k + l.x < 20u) { tile[l.y][l.x] = a[l.y * 20u + k + l.x]; }
#ifdef FIXED
    else { tile[l.y][l.x] = 0.0; }
#endif
    workgroupBarrier();
    for (var i = 0u; i < 8u; i++) { sum += tile[l.y][i] * tile[l.x][i]; }
    workgroupBarrier();
  }
  dst[l.y * 8u + l.x] = sum;
}
