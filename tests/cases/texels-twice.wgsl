// Two invocations store to one texel.
@group(0) @binding(0) var image: texture_storage_2d<r32uint, write>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  textureStore(image, id.xy, vec4u(id.x));
#else
  textureStore(image, id.xy / 2u, vec4u(id.x));
#endif
}
