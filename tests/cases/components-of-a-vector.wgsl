// Two invocations store to two components of one vector.
@group(0) @binding(0) var<storage, read_write> dst: array<f32>;
var<workgroup> pairs: array<vec2f, 32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  if (li % 2u == 0u) { pairs[li / 2u] = vec2f(f32(li), f32(li + 1u)); }
#else
  if (li % 2u == 0u) { pairs[li / 2u].x = f32(li); } else { pairs[li / 2u].y = f32(li); }
#endif
  workgroupBarrier();
  dst[li] = pairs[(63u - li) / 2u][li % 2u];
}
