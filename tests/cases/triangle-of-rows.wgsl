// Pascal's triangle in place: in each turn one more element is written.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> row: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  row[li] = u32(li == 0u);
  for (var k = 1u; k < 64u; k++) {
    workgroupBarrier();
    let sum = row[li] + select(0u, row[max(li, 1u) - 1u], li > 0u);
#ifdef FIXED
    workgroupBarrier();
#endif
    if (li <= k) { row[li] = sum; }
  }
  workgroupBarrier();
  dst[li] = row[63u - li];
}
