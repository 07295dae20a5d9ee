// A function that has barriers is called by those that are inside alone.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> part: array<u32, 64>;
fn total(li: u32, x: u32) -> u32 {
  part[li] = x;
  workgroupBarrier();
  var s = 0u;
  for (var k = 0u; k < 64u; k++) { s += part[k]; }
  return s;
}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  var x = 0u;
  if (id.x < 100u) { x = src[id.x]; }
  let s = total(li, x);
  if (id.x < 100u) { dst[id.x] = s; }
#else
  if (id.x < 100u) { dst[id.x] = total(li, src[id.x]); }
#endif
}
