// Two invocations store to one matrix: to a column each, or both to one.
@group(0) @binding(0) var<storage, read_write> dst: array<f32>;
var<workgroup> m: array<mat2x2f, 16>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  m[li / 2u][li % 2u] = vec2f(f32(li), 1.0);
#else
  m[li / 2u][0][li % 2u] = f32(li);
#endif
  workgroupBarrier();
  dst[li] = m[15u - li / 2u][0][0];
}
