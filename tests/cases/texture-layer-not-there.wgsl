// A layer for each workgroup, of which there are more than layers.
@group(0) @binding(0) var src: texture_2d_array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) w: vec3u) {
  if (w.x >= arrayLength(&sums)) { return; }
#ifdef FIXED
  if (w.x >= textureNumLayers(src)) { return; }
#endif
  sums[w.x] = textureLoad(src, vec2u(1, 1), w.x, 0).x + 1;
}
