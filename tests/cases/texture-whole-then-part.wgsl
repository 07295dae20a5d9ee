// Clean both ways: a circle is drawn into an image, the rest stays as it was.
@group(0) @binding(0) var src: texture_2d<f32>;
@group(0) @binding(1) var dst: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let size = textureDimensions(src);
  if (any(id.xy >= size)) { return; }
  if (distance(vec2f(id.xy), vec2f(9.5)) < 8.0) { textureStore(dst, id.xy, textureLoad(src, id.xy, 0)); }
}
