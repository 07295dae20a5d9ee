// Nearly all store the same.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> last: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  if (li == 63u) { last = li / 63u; }
#else
  last = li / 63u;
#endif
  workgroupBarrier();
  dst[li] = last;
}
