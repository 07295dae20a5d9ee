// A signed index below zero.
@group(0) @binding(0) var<storage, read> src: array<i32>;
@group(0) @binding(1) var<storage, read_write> dst: array<i32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  let i = i32(li);
#ifdef FIXED
  dst[li] = src[max(i - 2, 0)];
#else
  dst[li] = src[i - 2];
#endif
}
