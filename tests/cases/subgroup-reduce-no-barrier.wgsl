// Sums of subgroups are put together by the first one.
enable subgroups;
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> part: array<u32, 64>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32, @builtin(workgroup_id) w: vec3u,
        @builtin(subgroup_size) size: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let s = subgroupAdd(src[id.x]);
  if (lane == 0u) { part[li / size] = s; }
#ifdef FIXED
  workgroupBarrier();
#endif
  if (li == 0u) {
    var sum = 0u;
    for (var k = 0u; k < 256u / size; k++) { sum += part[k]; }
    dst[w.x] = sum;
  }
}
