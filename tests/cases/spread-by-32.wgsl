// Partial sums of subgroups, stored as if there were 32 lanes in each.
enable subgroups;
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> sums: array<u32, 64>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) li: u32, @builtin(subgroup_size) size: u32,
        @builtin(subgroup_invocation_id) lane: u32) {
  let sum = subgroupAdd(src[li]);
#ifdef FIXED
  if (lane == 0u) { sums[li / size] = sum; }
#else
  if (lane == 0u && li % 32u == 0u) { sums[li / 32u] = sum; }
  let unused = size;
#endif
  workgroupBarrier();
  if (li == 0u) {
    var all = 0u;
#ifdef FIXED
    for (var i = 0u; i < (128u + size - 1u) / size; i++) { all += sums[i]; }
#else
    for (var i = 0u; i < 4u; i++) { all += sums[i]; }
#endif
    dst[0] = all;
  }
}
