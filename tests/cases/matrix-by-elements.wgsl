// A matrix in workgroup memory: columns are vectors, and an element of one is stored with its column.
@group(0) @binding(0) var<storage, read_write> dst: array<vec4f>;
var<workgroup> m: mat4x4f;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  if (li < 4u) { m[li] = vec4f(f32(li)); }
#else
  m[li / 4u][li % 4u] = f32(li);
#endif
  workgroupBarrier();
  if (li < 4u) { dst[li] = m[3u - li]; }
}
