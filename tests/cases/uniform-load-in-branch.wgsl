// A uniform load that only half of the workgroup reaches.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> n: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  if (li == 0u) { n = 3u; }
#ifdef FIXED
  let x = workgroupUniformLoad(&n);
  if (li < 32u) { dst[li] = x; } else { dst[li] = 0u; }
#else
  if (li < 32u) { dst[li] = workgroupUniformLoad(&n); } else { dst[li] = 0u; }
#endif
}
