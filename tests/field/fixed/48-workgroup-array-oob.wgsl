// Guarded by the number of bins.

@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> hist: array<atomic<u32>, 64>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) li: u32) {
  if (li < 64u) { atomicStore(&hist[li], 0u); }
  workgroupBarrier();
  atomicAdd(&hist[(li * 7u) & 63u], 1u);
  workgroupBarrier();
  if (li < 64u) { dst[li] = atomicLoad(&hist[li]); }
}
