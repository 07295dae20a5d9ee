// A helper returns before its barrier where there is nothing to do.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<f32, 64>;
fn smooth_it(li: u32, x: f32) -> f32 {
  tile[li] = x;
#ifndef FIXED
  if (x > 50.0) { return x; }
#endif
  workgroupBarrier();
  let y = (tile[li] + tile[(li + 63u) % 64u]) * 0.5;
#ifdef FIXED
  if (x > 50.0) { return x; }
#endif
  return y;
}
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  dst[li] = smooth_it(li, src[li]);
}
