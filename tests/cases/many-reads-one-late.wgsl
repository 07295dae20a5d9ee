// Hundreds of rows of reads in one phase; then one invocation writes a word that only the first of
// them, or the last, read.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> w: array<u32, 64>;
var<workgroup> v: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  w[li] = li;
  v[li] = li;
  workgroupBarrier();
  var x = w[63u - li] + v[63u - li];
  workgroupBarrier();
  if (li >= 60u) { x += w[li]; }
  for (var i = 0u; i < 700u; i++) { x += v[(li ^ i) & 63u]; }
  if (li < 4u) { x += w[li + 8u]; }
#ifdef FIXED
  workgroupBarrier();
#endif
  if (li == 5u) { w[63] = x; }
  if (li == 6u) { w[8] = x; }
  workgroupBarrier();
  dst[li] = x + w[li];
}
