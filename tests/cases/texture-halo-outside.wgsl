// A mean of neighbours that reads over the border of the image, where a device gives what it likes.
// The dispatch is rounded up: what is stored outside is discarded, as WGSL says.
@group(0) @binding(0) var src: texture_2d_array<f32>;
@group(0) @binding(1) var dst: texture_storage_2d<r32float, write>;

fn texel(t: texture_2d_array<f32>, p: vec2i) -> f32 {
#ifdef FIXED
  let inside = all(p >= vec2i(0)) && all(p < vec2i(textureDimensions(t)));
  return select(0.0, textureLoad(t, p, 2, 0).x, inside);
#else
  return textureLoad(t, p, 2, 0).x;
#endif
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let p = vec2i(id.xy);
  textureStore(dst, p, vec4f((texel(src, p - vec2i(1, 0)) + texel(src, p)) / 2));
}
