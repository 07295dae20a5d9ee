// Barriers outside of the branch, which guards only loads and stores.

@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> sh: array<u32, 64>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) li: u32) {
  if (li < 64u) { sh[li] = src[li]; }
  for (var d = 1u; d < 64u; d *= 2u) {
    workgroupBarrier();
    let v = select(0u, sh[max(li & 63u, d) - d], li >= d);
    workgroupBarrier();
    if (li < 64u) { sh[li] += v; }
  }
  workgroupBarrier();
  dst[li] = sh[li & 63u];
}
