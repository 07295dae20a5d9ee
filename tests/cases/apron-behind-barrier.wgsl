// The middle of a tile is loaded before the barrier, its apron behind it.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<f32, 80>;
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) li: u32) {
  tile[li] = src[w.x * 64u + li];
#ifndef FIXED
  workgroupBarrier();
#endif
  if (li < 16u) { tile[64u + li] = src[w.x * 64u + 64u + li]; }
#ifdef FIXED
  workgroupBarrier();
#endif
  var s = 0.0;
  for (var k = 0u; k <= 16u; k++) { s += tile[li + k]; }
  dst[w.x * 64u + li] = s;
}
