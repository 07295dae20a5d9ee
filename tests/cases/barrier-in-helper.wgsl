// A function with a barrier in it, called from two places by different invocations.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> tile: array<u32, 64>;

fn exchange(li: u32, x: u32) -> u32 {
  tile[li] = x;
  workgroupBarrier();
  return tile[63u - li];
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  dst[li] = exchange(li, select(2u, 1u, li < 32u));
#else
  if (li < 32u) { dst[li] = exchange(li, 1u); } else { dst[li] = exchange(li, 2u); }
#endif
}
