// The offset of a batch: three sizes from a uniform are multiplied.
struct Shape { h: u32, w: u32, c: u32 }
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
@group(0) @binding(2) var<uniform> shape: Shape;
fn offset(n: u32, y: u32, x: u32) -> u32 {
  let plane = shape.h * shape.w;
  return n * plane * shape.c + y * shape.w + x;
}
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  dst[li] = src[offset(0u, 0u, li)];
#else
  dst[li] = src[offset(li / 32u, 0u, li % 32u)];
#endif
}
