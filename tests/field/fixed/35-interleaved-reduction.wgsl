// Active invocations next to each other.

@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> sh: array<u32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) li: u32) {
  sh[li] = src[li];
  workgroupBarrier();
  for (var s = 128u; s > 0u; s /= 2u) {
    if (li < s) {
      sh[li] = sh[li] + sh[li + s];
    }
    workgroupBarrier();
  }
  if (li == 0u) { dst[0] = sh[0]; }
}
