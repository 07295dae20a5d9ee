// Words are written before they are read.

@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> sh: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wg: vec3u, @builtin(local_invocation_index) li: u32) {
  sh[li] = 0u;
  workgroupBarrier();
  dst[wg.x * 64u + li] = sh[63u - li];
  workgroupBarrier();
  sh[li] = 7u;
}
