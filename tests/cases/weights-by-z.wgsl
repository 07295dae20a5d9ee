// A workgroup of 4 by 4 by 4 whose tile leaves out z.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<f32, 64>;
@compute @workgroup_size(4, 4, 4)
fn main(@builtin(local_invocation_id) l: vec3u, @builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  tile[(l.z * 4u + l.y) * 4u + l.x] = src[li];
#else
  tile[l.y * 4u + l.x] = src[li];
#endif
  workgroupBarrier();
#ifdef FIXED
  dst[li] = tile[63u - li];
#else
  dst[li] = tile[15u - li % 16u];
#endif
}
