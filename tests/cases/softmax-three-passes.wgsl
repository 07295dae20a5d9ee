// Clean both ways: rows of 100 by 64 invocations, greatest and sum in one array with barriers between.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> red: array<f32, 64>;
fn all_of(li: u32, x: f32, is_max: bool) -> f32 {
  red[li] = x;
  workgroupBarrier();
  for (var s = 32u; s > 0u; s >>= 1u) {
    if (li < s) { red[li] = select(red[li] + red[li + s], max(red[li], red[li + s]), is_max); }
    workgroupBarrier();
  }
  let result = red[0];
  workgroupBarrier();
  return result;
}
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) li: u32) {
  let base = w.x * 100u;
  var top = -1e30;
  for (var k = li; k < 100u; k += 64u) { top = max(top, src[base + k]); }
  top = all_of(li, top, true);
  var sum = 0.0;
  for (var k = li; k < 100u; k += 64u) { sum += exp(src[base + k] - top); }
  sum = all_of(li, sum, false);
  for (var k = li; k < 100u; k += 64u) { dst[base + k] = exp(src[base + k] - top) / sum; }
}
