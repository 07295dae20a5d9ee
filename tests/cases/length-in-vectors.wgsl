// Clean both ways, for nothing tells it from a result that is shorter: the length of an array of vec4f is in vectors.
@group(0) @binding(0) var<storage, read> src: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> dst: array<vec4f>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  let n = arrayLength(&src);
#else
  let n = arrayLength(&src) / 4u;
#endif
  if (id.x < n) { dst[id.x] = src[id.x] * 2.0; }
}
