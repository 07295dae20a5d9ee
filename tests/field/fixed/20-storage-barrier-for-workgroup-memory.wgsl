// The barrier that orders workgroup memory.

@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> sh: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  sh[li] = src[li];
  workgroupBarrier();
  dst[li] = sh[63u - li];
}
