// Four lanes store the components of one vector.
@group(0) @binding(0) var<storage, read> src: array<u32>;
#ifdef FIXED
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
#else
@group(0) @binding(1) var<storage, read_write> dst: array<vec4u>;
#endif
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  dst[id.x] = src[id.x];
#else
  dst[id.x / 4u][id.x % 4u] = src[id.x];
#endif
}
