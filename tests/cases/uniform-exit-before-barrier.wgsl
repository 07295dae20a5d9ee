// Clean both ways: whole workgroups leave early, and the last one guards its accesses.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
@group(0) @binding(2) var<uniform> n: u32;
var<workgroup> tile: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) li: u32) {
  if (w.x * 64u >= n) { return; }
  let i = w.x * 64u + li;
  if (i < n) { tile[li] = src[i]; } else { tile[li] = 0u; }
  workgroupBarrier();
  if (i < n) { dst[i] = tile[63u - li]; }
}
