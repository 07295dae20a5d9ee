// Components of vectors in workgroup memory are exchanged between neighbours without a barrier.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> v: array<vec3f, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  for (var k = 0u; k < 3u; k++) { v[li][k] = src[3u * li + k]; }
#ifdef FIXED
  workgroupBarrier();
#endif
  let other = v[63u - li];
  dst[3u * li] = other.x;
  dst[3u * li + 1u] = other.y;
  dst[3u * li + 2u] = other.z;
}
