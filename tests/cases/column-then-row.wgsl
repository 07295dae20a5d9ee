// A padded tile is read by columns, and its last row is stored again with no barrier between.
@group(0) @binding(0) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<array<f32, 17>, 16>;

@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_id) l: vec3u, @builtin(local_invocation_index) li: u32) {
  tile[l.y][l.x] = f32(li);
  workgroupBarrier();
  let before = tile[l.x][15u - l.y];
  workgroupBarrier();
  let turned = tile[l.x][l.y] + before;
#ifdef FIXED
  workgroupBarrier();
#endif
  if (l.y == 15u) { tile[l.y][l.x] = turned * 2.0; }
  workgroupBarrier();
  dst[li] = tile[l.y][l.x] + tile[l.x][l.y];
}
