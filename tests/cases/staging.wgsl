// A tile of which every invocation reads its own word alone.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) id: vec3u) {
  tile[li] = src[id.x];
  workgroupBarrier();
#ifdef FIXED
  dst[id.x] = tile[63u - li];
#else
  dst[id.x] = tile[li] * 2.0;
#endif
}
