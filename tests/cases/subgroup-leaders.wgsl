// Leaders of subgroups leave their sums in workgroup memory; the first subgroup adds them too early.
enable subgroups;
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> sums: array<u32, 128>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wg: vec3u,
        @builtin(subgroup_size) size: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let sum = subgroupAdd(src[wg.x * 128u + li]);
  if (lane == 0u) { sums[li / size] = sum; }
#ifdef FIXED
  workgroupBarrier();
#endif
  if (li == 0u) {
    var all = 0u;
    for (var i = 0u; i < (128u + size - 1u) / size; i++) { all += sums[i]; }
    dst[wg.x] = all;
  }
}
