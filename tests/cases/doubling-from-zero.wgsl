// A step that starts at zero never grows.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  var step = 1u;
#else
  var step = id.x;
#endif
  while (step < 64u) { step *= 2u; }
  dst[id.x] = step;
}
