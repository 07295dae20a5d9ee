// Fixed point.

@group(0) @binding(0) var<storage, read> src: array<i32>;
@group(0) @binding(1) var<storage, read_write> dst: array<i32>;
var<workgroup> sh: array<i32, 4>;

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) li: u32) {
  sh[li] = src[li];
  workgroupBarrier();
  if (li < 2u) { sh[li] += sh[li + 2u]; }
  workgroupBarrier();
  if (li == 0u) {
    dst[0] = sh[0] + sh[1];
    dst[1] = src[0] + src[1] + src[2] + src[3];
  }
}
