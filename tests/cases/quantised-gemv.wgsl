// Four-bit weights, eight to a word; partial sums of a row by a tree.
@group(0) @binding(0) var<storage, read> w: array<u32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
var<workgroup> s: array<f32, 32>;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) row: vec3u, @builtin(local_invocation_index) li: u32) {
  let word = w[row.x * 32u + li];
  var sum = 0.0;
  for (var k = 0u; k < 8u; k++) { sum += (f32((word >> (4u * k)) & 15u) - 8.0) * x[li * 8u + k]; }
  s[li] = sum;
  workgroupBarrier();
  for (var k = 16u; k > 0u; k >>= 1u) {
    if (li < k) { s[li] += s[li + k]; }
#ifdef FIXED
    workgroupBarrier();
#endif
  }
  if (li == 0u) { y[row.x] = s[0]; }
}
