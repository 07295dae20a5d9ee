// Shared parameters by the first invocation, in a struct.
struct Params { a: u32, b: vec2u, c: array<u32, 3> }
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> p: Params;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32, @builtin(workgroup_id) w: vec3u) {
  if (li == 0u) { p = Params(src[w.x], vec2u(1u, 2u), array<u32, 3>(3u, 4u, 5u)); }
#ifdef FIXED
  workgroupBarrier();
#endif
  let q = p;
  dst[id.x] = q.a + q.b.y + q.c[li % 3u];
}
