// A histogram that is read out before all have counted.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<atomic<u32>, 64>;
var<workgroup> bins: array<atomic<u32>, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) id: vec3u) {
  atomicAdd(&bins[src[id.x] * 7u % 64u], 1u);
#ifdef FIXED
  workgroupBarrier();
#endif
  atomicAdd(&dst[li], atomicLoad(&bins[li]));
}
