// Butterflies between invocations that each keep one value.
@group(0) @binding(0) var<storage, read> src: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> dst: array<vec2f>;
var<workgroup> x: array<vec2f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  x[li] = src[reverseBits(li) >> 26u];
  workgroupBarrier();
  for (var half = 1u; half < 64u; half *= 2u) {
    let top = (li & half) == 0u;
    let a = x[li & ~half];
    let b = x[li | half];
    let angle = -3.14159265 * f32(li & (half - 1u)) / f32(half);
    let w = vec2f(cos(angle), sin(angle));
    let wb = vec2f(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
#ifdef FIXED
    workgroupBarrier();
#endif
    x[li] = select(a - wb, a + wb, top);
    workgroupBarrier();
  }
  dst[li] = x[li];
}
