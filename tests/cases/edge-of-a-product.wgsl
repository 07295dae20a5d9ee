// A product whose inner side of 20 is no multiple of the tile: zeros are missing.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
var<workgroup> ta: array<array<f32, 16>, 16>;
var<workgroup> tb: array<array<f32, 16>, 16>;

@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_id) l: vec3u) {
  var sum = 0.0;
  for (var k = 0u; k < 20u; k += 16u) {
    if (k + l.x < 20u) { ta[l.y][l.x] = a[l.y * 20u + k + l.x]; }
#ifdef FIXED
    else { ta[l.y][l.x] = 0.0; }
#endif
    if (k + l.y < 20u) { tb[l.y][l.x] = b[(k + l.y) * 16u + l.x]; }
#ifdef FIXED
    else { tb[l.y][l.x] = 0.0; }
#endif
    workgroupBarrier();
    for (var i = 0u; i < 16u; i++) { sum += ta[l.y][i] * tb[i][l.x]; }
    workgroupBarrier();
  }
  c[l.y * 16u + l.x] = sum;
}
