// Additions may be made in any order, and maxima may; the one and the other may not.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> sum: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  atomicAdd(&sum, src[li] % 9u);
#ifdef FIXED
  workgroupBarrier();
#endif
  atomicMax(&sum, src[li] % 300u);
  workgroupBarrier();
  dst[li] = atomicLoad(&sum);
}
