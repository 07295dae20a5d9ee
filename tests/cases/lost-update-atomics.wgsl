// A counter by an atomic load and an atomic store: no data race, and yet updates are lost.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> count: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wg: vec3u) {
#ifdef FIXED
  atomicAdd(&count, 1u);
#else
  let old = atomicLoad(&count);
  atomicStore(&count, old + 1u);
#endif
  workgroupBarrier();
  if (li == 0u) { dst[wg.x] = atomicLoad(&count); }
}
