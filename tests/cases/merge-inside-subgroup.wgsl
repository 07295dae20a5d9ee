// A bitonic sort that leaves the barrier out where partners are less than 16 apart.
@group(0) @binding(0) var<storage, read_write> data: array<u32, 64>;
var<workgroup> key: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  key[li] = data[li];
  workgroupBarrier();
  for (var k = 2u; k <= 64u; k *= 2u) {
    for (var j = k / 2u; j > 0u; j /= 2u) {
      let other = li ^ j;
      let a = key[li];
      let b = key[other];
      let keep = select(max(a, b), min(a, b), ((li & k) == 0u) == (li < other));
#ifdef FIXED
      workgroupBarrier();
#else
      if (j >= 16u) { workgroupBarrier(); }
#endif
      key[li] = keep;
#ifdef FIXED
      workgroupBarrier();
#else
      if (j >= 16u) { workgroupBarrier(); }
#endif
    }
  }
  data[li] = key[li];
}
