// A buffer with three floats an element, read as if a vec3 took twelve bytes.
#ifdef FIXED
@group(0) @binding(0) var<storage, read> src: array<array<f32, 3>>;
#else
@group(0) @binding(0) var<storage, read> src: array<vec3f>;
#endif
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let v = src[id.x];
  dst[id.x] = v[0] + v[1] + v[2];
}
