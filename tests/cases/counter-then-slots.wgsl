// Slots of a workgroup's list by a counter in its memory: of one workgroup, sorted afterwards.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> count: atomic<u32>;
var<workgroup> list: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wg: vec3u) {
  let x = src[wg.x * 64u + li];
  if (x % 3u == 0u) { list[atomicAdd(&count, 1u)] = x; }
#ifdef FIXED
  workgroupBarrier();
#endif
  let n = atomicLoad(&count);
  var sum = 0u;
  for (var i = 0u; i < n; i++) { sum += list[i]; }
  dst[wg.x * 64u + li] = sum;
}
