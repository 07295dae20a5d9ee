// A texture is mirrored in place behind a barrier of another address space.
@group(0) @binding(0) var image: texture_storage_2d<r32uint, read_write>;

#ifdef FIXED
#define BARRIER textureBarrier
#else
#define BARRIER storageBarrier
#endif

@compute @workgroup_size(8, 8)
fn main(@builtin(local_invocation_id) l: vec3u) {
  let mirrored = textureLoad(image, vec2u(7u - l.x, l.y)).x;
  BARRIER();
  textureStore(image, l.xy, vec4u(mirrored));
}
