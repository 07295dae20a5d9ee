// A tile of 15 columns is used as one of 16: the last of a row is the first of the next.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
#ifdef FIXED
const width = 16u;
#else
const width = 15u;
#endif
var<workgroup> tile: array<f32, 256>;
@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_id) l: vec3u, @builtin(local_invocation_index) li: u32) {
  tile[l.y * width + l.x] = src[li];
  workgroupBarrier();
  dst[li] = tile[l.x * width + l.y];
}
