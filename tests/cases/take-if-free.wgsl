// Who takes a place by compare-exchange is a matter of luck; faulty, its number is the result.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> places: array<atomic<u32>, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  atomicMin(&places[li / 2u], 0u);
  atomicMax(&places[li / 2u], li + 1u);
  workgroupBarrier();
  dst[li] = atomicLoad(&places[li / 2u]);
#else
  atomicStore(&places[li / 2u], li + 1u);
  workgroupBarrier();
  dst[li] = atomicLoad(&places[li / 2u]);
#endif
}
