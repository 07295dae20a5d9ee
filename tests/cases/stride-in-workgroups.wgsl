// A loop over all elements in strides of the whole dispatch: the number of workgroups is not the number of invocations.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
#ifdef FIXED
  let stride = groups.x * 64u;
#else
  let stride = groups.x;
#endif
  for (var i = id.x; i < arrayLength(&src); i += stride) { dst[i] = src[i] + f32(i) * f32(id.x); }
}
