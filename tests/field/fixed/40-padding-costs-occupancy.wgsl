// No padding: four workgroups fit.

@group(0) @binding(0) var<storage, read_write> dst: array<f32>;
var<workgroup> a: array<array<f32, 32>, 32>;
var<workgroup> b: array<array<f32, 32>, 32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3u, @builtin(local_invocation_index) li: u32) {
  for (var k = li; k < 1024u; k += 256u) {
    a[k / 32u][k % 32u] = 1.0;
    b[k / 32u][k % 32u] = 2.0;
  }
  workgroupBarrier();
  if (li == 0u) {
    var s = 0.0;
    for (var i = 0u; i < 32u; i++) { s += a[i][i] * b[31u - i][i]; }
    dst[wg.x] = s;
  }
}
