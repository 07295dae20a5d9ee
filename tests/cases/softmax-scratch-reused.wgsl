// Maximum and sum of a row by the same scratch: the second reduction starts while the first is still read.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> s: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32) {
  let x = src[id.x];
  s[li] = x;
  workgroupBarrier();
  for (var k = 32u; k > 0u; k >>= 1u) {
    if (li < k) { s[li] = max(s[li], s[li + k]); }
    workgroupBarrier();
  }
  let most = s[0];
#ifdef FIXED
  workgroupBarrier();
#endif
  let e = exp(x - most);
  s[li] = e;
  workgroupBarrier();
  for (var k = 32u; k > 0u; k >>= 1u) {
    if (li < k) { s[li] += s[li + k]; }
    workgroupBarrier();
  }
  dst[id.x] = e / s[0];
}
