// A spin lock around plain data: the lock is relaxed and orders nothing.
@group(0) @binding(0) var<storage, read_write> lock: atomic<u32>;
#ifdef FIXED
@group(0) @binding(1) var<storage, read_write> total: atomic<u32>;
#else
@group(0) @binding(1) var<storage, read_write> total: u32;
#endif

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  atomicAdd(&total, li);
#else
  var mine = false;
  while (!mine) {
    mine = atomicCompareExchangeWeak(&lock, 0u, 1u).exchanged;
    if (mine) {
      total += li;
      atomicStore(&lock, 0u);
    }
  }
#endif
}
