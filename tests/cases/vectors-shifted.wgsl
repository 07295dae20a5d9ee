// Vectors move one place down while others still read them.
@group(0) @binding(0) var<storage, read_write> dst: array<vec4f>;
var<workgroup> points: array<vec4f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) id: vec3u) {
  points[li] = vec4f(f32(li));
  workgroupBarrier();
  let next = points[(li + 1u) % 64u];
#ifdef FIXED
  workgroupBarrier();
#endif
  points[li] = next;
  workgroupBarrier();
  dst[id.x] = points[63u - li];
}
