// A pass of a radix sort by one bit at a time in workgroup memory.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> keys: array<u32, 64>;
var<workgroup> s: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  keys[li] = src[li] & 255u;
  workgroupBarrier();
  for (var bit = 0u; bit < 8u; bit++) {
    let key = keys[li];
    let one = (key >> bit) & 1u;
    s[li] = 1u - one;
    workgroupBarrier();
    for (var k = 1u; k < 64u; k <<= 1u) {
      let add = select(0u, s[li - min(k, li)], li >= k);
      workgroupBarrier();
      s[li] += add;
      workgroupBarrier();
    }
    let zeros = s[63];
    let place = select(s[li] - 1u, zeros + li - s[li], one == 1u);
    keys[place] = key;
#ifdef FIXED
    workgroupBarrier();
#endif
  }
#ifndef FIXED
  workgroupBarrier();
#endif
  dst[li] = keys[li];
}
