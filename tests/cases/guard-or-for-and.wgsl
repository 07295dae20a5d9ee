// The guard holds where one of the two is inside.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  if (id.x < 20u && id.y < 20u) {
#else
  if (id.x < 20u || id.y < 20u) {
#endif
    dst[id.y * 20u + id.x] = sqrt(src[id.y * 20u + id.x]) + f32(id.x);
  }
}
