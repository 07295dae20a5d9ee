// A tile that leaves room for few workgroups.
@group(0) @binding(0) var<storage, read_write> dst: array<f32>;
#ifdef FIXED
var<workgroup> tile: array<f32, 64>;
#else
var<workgroup> tile: array<f32, 3500>;
#endif

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) id: vec3u) {
  tile[li] = f32(li);
  workgroupBarrier();
  dst[id.x] = tile[63u - li];
}
