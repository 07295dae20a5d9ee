// A blur of a texture in place.
@group(0) @binding(0) var t: texture_storage_2d<r32uint, read_write>;
#ifdef FIXED
@group(0) @binding(1) var d: texture_storage_2d<r32uint, write>;
#else
@group(0) @binding(1) var d: texture_storage_2d<r32uint, read>;
#endif

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let left = textureLoad(t, vec2u(max(id.x, 1u) - 1u, id.y)).x;
  let here = textureLoad(t, id.xy).x;
#ifdef FIXED
  textureStore(d, id.xy, vec4u(left + here));
#else
  textureStore(t, id.xy, vec4u(left + here + textureLoad(d, id.xy).x));
#endif
}
