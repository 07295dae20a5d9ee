// Mean and variance go through one scratch word.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> x: array<f32, 64>;
var<workgroup> word: f32;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32) {
  x[li] = src[id.x];
  workgroupBarrier();
  if (li == 0u) {
    var s = 0.0;
    for (var k = 0u; k < 64u; k++) { s += x[k]; }
    word = s / 64.0;
  }
  workgroupBarrier();
  let mean = word;
#ifdef FIXED
  workgroupBarrier();
#endif
  if (li == 0u) {
    var s = 0.0;
    for (var k = 0u; k < 64u; k++) { s += (x[k] - mean) * (x[k] - mean); }
    word = s / 64.0;
  }
  workgroupBarrier();
  dst[id.x] = (x[li] - mean) * inverseSqrt(word + 1e-5);
}
