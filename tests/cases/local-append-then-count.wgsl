// Clean both ways: places are handed out in any order, and only what order does not change is used.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> list: array<u32, 64>;
var<workgroup> n: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32, @builtin(workgroup_id) w: vec3u) {
  let v = src[id.x] % 100u;
  if (v % 2u == 0u) { list[atomicAdd(&n, 1u)] = v; }
  workgroupBarrier();
  if (li == 0u) {
    var sum = 0u;
#ifdef FIXED
    for (var k = 0u; k < atomicLoad(&n); k++) { sum += list[k]; }
#else
    let count = atomicLoad(&n);
    for (var k = 0u; k < count; k++) { sum = max(sum, list[k]); }
#endif
    dst[w.x] = sum;
  }
}
