// The best so far is looked at to save work; the result is the same whatever is seen.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> best: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  if (li == 0u) { atomicStore(&best, 4294967295u); }
#ifdef FIXED
  workgroupBarrier();
#endif
  let x = src[li] * 37u % 101u;
  if (x < atomicLoad(&best)) { atomicMin(&best, x); }
  workgroupBarrier();
  dst[li] = atomicLoad(&best);
}
