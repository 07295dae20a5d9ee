// A uniform load is a barrier before and behind it: what is stored after it is not ordered by it.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> n: u32;
var<workgroup> t: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  t[li] = li;
#endif
  let x = workgroupUniformLoad(&n);
#ifndef FIXED
  t[li] = li;
#endif
  dst[li] = t[63u - li] + x;
}
