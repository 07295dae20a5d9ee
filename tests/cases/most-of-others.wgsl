// Half of the workgroup looks for the largest value, and the other half uses it.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> most: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  if (li < 32u) { atomicMax(&most, src[li]); }
#ifdef FIXED
  workgroupBarrier();
#endif
  dst[li] = 0u;
  if (li >= 32u) { dst[li] = atomicLoad(&most); }
}
