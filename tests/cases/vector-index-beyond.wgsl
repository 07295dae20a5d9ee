// The component of a vector by a number that may be four.
@group(0) @binding(0) var<storage, read> src: array<vec4u, 16>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  dst[li] = src[li / 4u][li % 4u];
#else
  dst[li] = src[li / 4u][li % 5u];
#endif
}
