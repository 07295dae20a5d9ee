// The host packs {scale, direction, count} without gaps: the shader finds the count elsewhere.
struct Params { scale: u32, direction: vec3f, count: u32 }
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  dst[id.x] = src[id.x];
#else
  if (id.x < params.count) { dst[id.x] = src[id.x]; }
#endif
}
