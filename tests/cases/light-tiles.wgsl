// The depths of a tile and the lights that touch it, by atomics of the workgroup.
@group(0) @binding(0) var<storage, read> depth: array<u32>;
@group(0) @binding(1) var<storage, read> lights: array<u32>;
@group(0) @binding(2) var<storage, read_write> dst: array<u32>;
var<workgroup> least: atomic<u32>;
var<workgroup> most: atomic<u32>;
var<workgroup> count: atomic<u32>;
var<workgroup> list: array<u32, 64>;

@compute @workgroup_size(8, 8)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wg: vec3u) {
  if (li == 0u) { atomicStore(&least, 4294967295u); atomicStore(&most, 0u); atomicStore(&count, 0u); }
  workgroupBarrier();
  let d = depth[wg.x * 64u + li];
  atomicMin(&least, d);
  atomicMax(&most, d);
#ifdef FIXED
  workgroupBarrier();
#endif
  let near = atomicLoad(&least);
  let far = atomicLoad(&most);
  if (lights[li] >= near && lights[li] <= far) { list[atomicAdd(&count, 1u)] = li; }
  workgroupBarrier();
  var sum = 0u;
  for (var i = 0u; i < atomicLoad(&count); i++) { sum += list[i]; }
  dst[wg.x * 64u + li] = sum;
}
