// A work-efficient scan without a barrier between its way up and its way down.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> part: array<u32, 128>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  part[2u * li] = src[2u * li];
  part[2u * li + 1u] = src[2u * li + 1u];
  var offset = 1u;
  for (var d = 64u; d > 0u; d /= 2u) {
    workgroupBarrier();
    if (li < d) {
      let a = offset * (2u * li + 1u) - 1u;
      part[a + offset] += part[a];
    }
    offset *= 2u;
  }
#ifdef FIXED
  workgroupBarrier();
#endif
  if (li == 63u) { part[127] = 0u; }
  for (var d = 1u; d < 128u; d *= 2u) {
    offset /= 2u;
    workgroupBarrier();
    if (li < d) {
      let a = offset * (2u * li + 1u) - 1u;
      let b = a + offset;
      let t = part[a];
      part[a] = part[b];
      part[b] += t;
    }
  }
  workgroupBarrier();
  dst[2u * li] = part[2u * li];
  dst[2u * li + 1u] = part[2u * li + 1u];
}
