// Every second word is written; what lies between is read in a phase in which other words are.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> w: array<u32, 192>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  w[li * 2u] = li;
#ifdef FIXED
  w[li * 2u + 1u] = li;
#endif
  workgroupBarrier();
  var x = w[126u - li * 2u];
  workgroupBarrier();
  w[li + 128u] = x;
  x += w[li];
  workgroupBarrier();
  dst[li] = x + w[191u - li];
}
