// All pairs i < j of 16: 120 of them, not 136.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  if (id.x >= 120u) { dst[id.x] = 0.0; return; }
#endif
  var i = 0u;
  var rest = id.x;
  while (rest >= 15u - i && i < 15u) { rest -= 15u - i; i++; }
  dst[id.x] = x[i] * x[i + 1u + rest];
}
