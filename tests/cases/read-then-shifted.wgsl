// A table is read, and then stored one further by the first few.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> table: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) id: vec3u) {
  table[li] = li;
  workgroupBarrier();
  var sum = table[63u - li];
  workgroupBarrier();
  sum += table[li];
#ifdef FIXED
  workgroupBarrier();
#endif
  if (li < 20u) { table[li + 1u] = sum; }
  workgroupBarrier();
  dst[id.x] = table[li];
}
