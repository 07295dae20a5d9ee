// Mean and variance by the first invocation: read by all before it is done.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> s: array<f32, 64>;
var<workgroup> mean: f32;
var<workgroup> scale: f32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32) {
  s[li] = src[id.x];
  workgroupBarrier();
  if (li == 0u) {
    var m = 0.0;
    for (var k = 0u; k < 64u; k++) { m += s[k]; }
    m /= 64.0;
    var v = 0.0;
    for (var k = 0u; k < 64u; k++) { v += (s[k] - m) * (s[k] - m); }
    mean = m;
    scale = inverseSqrt(v / 64.0 + 1e-5);
  }
#ifdef FIXED
  let m = workgroupUniformLoad(&mean);
  let r = workgroupUniformLoad(&scale);
#else
  let m = workgroupUniformLoad(&mean);
  if (li == 63u) { scale = 1.0; }
  let r = scale;
#endif
  dst[id.x] = (s[li] - m) * r;
}
