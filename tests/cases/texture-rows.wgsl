// Element y * width + x with more columns than the image has.
override width = 30u;
@group(0) @binding(0) var<storage, read_write> image: array<u32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  if (id.x >= width || id.y >= 16u) { return; }
#else
  if (id.y >= 16u) { return; }
#endif
  image[id.y * width + id.x] = id.x + 100u * id.y;
}
