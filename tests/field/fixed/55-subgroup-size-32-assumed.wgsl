// As many partial sums as there are subgroups.

enable subgroups;
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> part: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(subgroup_size) size: u32,
        @builtin(subgroup_invocation_id) lane: u32) {
  let s = subgroupAdd(1u);
  if (lane == 0u) { part[li / size] = s; }
  workgroupBarrier();
  if (li == 0u) {
    var sum = 0u;
    for (var i = 0u; i * size < 64u; i++) { sum += part[i]; }
    dst[0] = sum;
  }
}
