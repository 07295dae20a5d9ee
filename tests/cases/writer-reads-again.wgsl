// The writer reads its word between, and hides the reader before it from a shadow of one reader.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> t: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  t[li] = li;
  workgroupBarrier();
  var s = t[(li + 63u) % 64u];
  s += t[li];
  s += t[li];
#ifdef FIXED
  workgroupBarrier();
#endif
  t[li] = s;
  workgroupBarrier();
  dst[li] = t[63u - li];
}
