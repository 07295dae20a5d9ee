// A loop over the grid with the wrong stride: elements are done twice.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
#ifdef FIXED
  let stride = groups.x * 64u;
#else
  let stride = 64u;
#endif
  for (var i = id.x; i < arrayLength(&src); i += stride) { dst[i] += src[i]; }
}
