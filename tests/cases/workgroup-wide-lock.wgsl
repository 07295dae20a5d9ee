// A lock in workgroup memory around plain workgroup memory.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> lock: atomic<u32>;
#ifdef FIXED
var<workgroup> total: atomic<u32>;
#else
var<workgroup> total: u32;
#endif

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var mine = false;
  while (!mine) {
    mine = atomicCompareExchangeWeak(&lock, 0u, 1u).exchanged;
    if (mine) {
#ifdef FIXED
      atomicAdd(&total, li);
#else
      total += li;
#endif
      atomicStore(&lock, 0u);
    }
  }
  workgroupBarrier();
#ifdef FIXED
  dst[li] = atomicLoad(&total);
#else
  dst[li] = total;
#endif
}
