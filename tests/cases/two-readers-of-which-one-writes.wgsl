// Two invocations read a word; the one that read last writes it.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> w: array<u32, 2>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  if (li < 2u) { w[li] = li; }
  workgroupBarrier();
  var x = 0u;
  if (li == 20u || li == 40u) { x = w[0]; }
#ifdef FIXED
  workgroupBarrier();
#endif
  if (li == 40u) { w[0] = 9u; }
  workgroupBarrier();
  dst[li] = x + w[0] + w[1];
}
