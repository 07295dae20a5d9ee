// A barrier in a case of a switch on the local index.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> tile: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  tile[li] = li;
#ifdef FIXED
  workgroupBarrier();
#endif
  switch (li / 32u) {
    case 0u: {
#ifndef FIXED
      workgroupBarrier();
#endif
      dst[li] = tile[li ^ 1u];
    }
    default: { dst[li] = tile[li]; }
  }
}
