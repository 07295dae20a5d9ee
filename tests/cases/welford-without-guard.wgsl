// Means and counts are merged by all invocations, not by the lower half.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
struct Part { mean: f32, m2: f32, n: f32 }
var<workgroup> part: array<Part, 64>;
fn merged(a: Part, b: Part) -> Part {
  let n = a.n + b.n;
  let d = b.mean - a.mean;
  return Part(a.mean + d * b.n / n, a.m2 + b.m2 + d * d * a.n * b.n / n, n);
}
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  part[li] = Part(src[li], 0.0, 1.0);
  workgroupBarrier();
  for (var s = 32u; s > 0u; s /= 2u) {
#ifdef FIXED
    if (li < s) { part[li] = merged(part[li], part[li + s]); }
#else
    part[li] = merged(part[li], part[(li + s) % 64u]);
#endif
    workgroupBarrier();
  }
  if (li == 0u) { dst[0] = part[0].mean; dst[1] = part[0].m2 / part[0].n; }
}
