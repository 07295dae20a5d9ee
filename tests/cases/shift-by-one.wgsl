// Every element moves one place to the left, within a tile.
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
var<workgroup> tile: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wg: vec3u) {
  tile[li] = data[wg.x * 64u + li];
  workgroupBarrier();
#ifdef FIXED
  let next = tile[(li + 1u) % 64u];
  workgroupBarrier();
  tile[li] = next;
#else
  tile[li] = tile[(li + 1u) % 64u];
#endif
  workgroupBarrier();
  data[wg.x * 64u + li] = tile[li];
}
