// A two-dimensional workgroup whose tile is indexed by one axis alone.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> tile: array<u32, 64>;

@compute @workgroup_size(8, 8)
fn main(@builtin(local_invocation_id) l: vec3u, @builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  tile[l.y * 8u + l.x] = src[li];
#else
  tile[l.x] = src[li];
#endif
  workgroupBarrier();
  dst[li] = tile[l.x * 8u + l.y];
}
