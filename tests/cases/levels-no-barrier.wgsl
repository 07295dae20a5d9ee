// Levels from a first vertex, each set once by compare-exchange: all find the same level, if every level
// is done before the next begins.
@group(0) @binding(0) var<storage, read> ends: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> level: array<atomic<u32>, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  atomicStore(&level[li], select(999u, 0u, li == 0u));
  workgroupBarrier();
  for (var d = 0u; d < 8u; d++) {
    if (atomicLoad(&level[li]) == d) {
      for (var e = 0u; e < 3u; e++) {
        _ = atomicCompareExchangeWeak(&level[ends[3u * li + e] % 64u], 999u, d + 1u);
      }
    }
#ifdef FIXED
    workgroupBarrier();
#endif
  }
  workgroupBarrier();
  dst[li] = atomicLoad(&level[li]);
}
