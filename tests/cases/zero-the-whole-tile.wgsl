// Every invocation stores the whole array.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> t: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  t[li] = 0u;
#else
  t = array<u32, 64>();
#endif
  workgroupBarrier();
  if (li % 2u == 0u) { t[li] = li; }
  workgroupBarrier();
  dst[li] = t[63u - li];
}
