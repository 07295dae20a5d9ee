// A filter of an image of 20 by 20 with 20 / 8 workgroups.
@group(0) @binding(0) var src: texture_2d<f32>;
@group(0) @binding(1) var dst: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let size = textureDimensions(src);
  if (any(id.xy >= size)) { return; }
  textureStore(dst, id.xy, textureLoad(src, id.xy, 0));
}
