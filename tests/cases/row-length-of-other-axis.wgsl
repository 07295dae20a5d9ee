// An image of 32 by 16 is transposed: the rows of the result are 16 long.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  dst[id.x * 16u + id.y] = src[id.y * 32u + id.x];
#else
  dst[(id.x * 32u + id.y) % 512u] = src[id.y * 32u + id.x];
#endif
}
