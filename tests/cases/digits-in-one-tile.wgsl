// A radix sort in workgroup memory: items move while others still read theirs.
@group(0) @binding(0) var<storage, read_write> data: array<u32, 64>;
var<workgroup> item: array<u32, 64>;
var<workgroup> flag: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  item[li] = data[li];
  workgroupBarrier();
  for (var bit = 0u; bit < 8u; bit++) {
    let x = item[li];
    flag[li] = (x >> bit) & 1u;
    workgroupBarrier();
    var zeros = 0u;
    var ones = 0u;
    for (var k = 0u; k < 64u; k++) {
      zeros += 1u - flag[k];
      if (k < li) { ones += flag[k]; }
    }
    let at = select(li - ones, zeros + ones, flag[li] == 1u);
    item[at] = x;
#ifdef FIXED
    workgroupBarrier();
#endif
  }
  data[li] = item[li];
}
