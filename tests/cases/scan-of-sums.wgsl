// A scan in two levels: runs of 8 by their first invocation, then the sums of the runs by the first of all.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> items: array<u32, 128>;
var<workgroup> sums: array<u32, 16>;
@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32) {
  items[li] = src[id.x];
  workgroupBarrier();
  if (li % 8u == 0u) {
    var s = 0u;
    for (var k = 0u; k < 8u; k++) { s += items[li + k]; items[li + k] = s; }
    sums[li / 8u] = s;
  }
  workgroupBarrier();
  if (li == 0u) {
    for (var k = 1u; k < 16u; k++) { sums[k] += sums[k - 1u]; }
  }
#ifdef FIXED
  workgroupBarrier();
#endif
  var before = 0u;
  if (li >= 8u) { before = sums[li / 8u - 1u]; }
  dst[id.x] = items[li] + before;
}
