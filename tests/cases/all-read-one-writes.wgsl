// All read a word, and the last of them writes it: its own read is the latest.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> w: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  if (li == 5u) { w = 7u; }
  workgroupBarrier();
  let x = w;
#ifdef FIXED
  workgroupBarrier();
#endif
  if (li == 63u) { w = x + 1u; }
  workgroupBarrier();
  dst[li] = x + w;
}
