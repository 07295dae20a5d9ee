// Each workgroup stores its own sum to the same element.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> total: array<u32>;
var<workgroup> sum: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wg: vec3u) {
  atomicAdd(&sum, src[wg.x * 64u + li]);
  workgroupBarrier();
  if (li == 0u) {
#ifdef FIXED
    total[wg.x] = atomicLoad(&sum);
#else
    total[0] = atomicLoad(&sum);
#endif
  }
}
