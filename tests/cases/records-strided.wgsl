// One field of a record of 64 bytes for each invocation.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  dst[id.x] = src[id.x + 256u * 5u];
#else
  dst[id.x] = src[id.x * 16u + 5u];
#endif
}
