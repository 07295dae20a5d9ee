// No workgroup waits for another.

@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> tile: array<u32, 4096>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3u, @builtin(local_invocation_index) li: u32) {
  for (var k = li; k < 4096u; k += 256u) { tile[k] = k + wg.x; }
  workgroupBarrier();
  if (li == 0u) { dst[wg.x] = tile[0]; }
}
