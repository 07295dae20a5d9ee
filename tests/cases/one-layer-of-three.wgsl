// Three channels, one a layer of the dispatch, which has one layer.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.z * 256u + id.y * 16u + id.x;
  dst[i] = sqrt(src[i]);
}
