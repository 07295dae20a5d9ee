// Two samples of each pixel, one by each layer of the dispatch, are added up by plain stores.
@group(0) @binding(0) var<storage, read_write> sum: array<f32>;
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let pixel = id.y * 16u + id.x;
#ifdef FIXED
  if (id.z == 0u) { sum[pixel] += 0.5 + f32(pixel); }
#else
  sum[pixel] += 0.5 + f32(pixel * (id.z + 1u));
#endif
}
