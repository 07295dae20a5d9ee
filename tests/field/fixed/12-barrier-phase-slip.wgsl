// The barrier stands before the branch.

@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> sh: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  sh[li] = li;
  workgroupBarrier();
  if (li < 32u) {
    sh[li] = li + 100u;
  }
  workgroupBarrier();
  dst[li] = sh[63u - li];
}
