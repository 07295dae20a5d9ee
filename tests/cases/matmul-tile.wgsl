// A tiled product of matrices without the second barrier of the loop.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
var<workgroup> ta: array<array<f32, 8>, 8>;
var<workgroup> tb: array<array<f32, 8>, 8>;

@compute @workgroup_size(8, 8)
fn main(@builtin(local_invocation_id) l: vec3u, @builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var k = 0u; k < 32u; k += 8u) {
    ta[l.y][l.x] = a[id.y * 32u + k + l.x];
    tb[l.y][l.x] = b[(k + l.y) * 32u + id.x];
    workgroupBarrier();
    for (var i = 0u; i < 8u; i++) { sum += ta[l.y][i] * tb[i][l.x]; }
#ifdef FIXED
    workgroupBarrier();
#endif
  }
  c[id.y * 32u + id.x] = sum;
}
