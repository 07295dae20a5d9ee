// The same lock, taken before it is used: a lane that has it waits for those that want it.
@group(0) @binding(0) var<storage, read_write> lock: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> total: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  var mine = false;
  while (!mine) {
    mine = atomicCompareExchangeWeak(&lock, 0u, 1u).exchanged;
    if (mine) {
      atomicAdd(&total, 1u);
      atomicStore(&lock, 0u);
    }
  }
#else
  while (!atomicCompareExchangeWeak(&lock, 0u, 1u).exchanged) {}
  atomicAdd(&total, 1u);
  atomicStore(&lock, 0u);
#endif
}
