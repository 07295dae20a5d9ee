// One invocation a row, one too many of them.
@group(0) @binding(0) var<storage, read> m: array<array<f32, 20>>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  if (id.x >= arrayLength(&m)) { return; }
#endif
  var sum = 0.0;
  for (var i = 0u; i < 20u; i++) { sum += m[id.x][i]; }
  dst[id.x] = sum;
}
