// The right apron of a tile is read but never loaded.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
const r = 4u;
var<workgroup> tile: array<f32, 72>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32) {
  tile[li + r] = src[id.x + r];
  if (li < r) {
    tile[li] = src[id.x];
#ifdef FIXED
    tile[li + 68u] = src[id.x + 68u];
#endif
  }
  workgroupBarrier();
  var s = 0.0;
  for (var k = 0u; k <= 2u * r; k++) { s += tile[li + k]; }
  dst[id.x] = s;
}
