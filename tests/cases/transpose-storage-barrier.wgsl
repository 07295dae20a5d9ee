// A tile in workgroup memory with the barrier of the other address space.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<array<f32, 17>, 16>;

@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_id) l: vec3u, @builtin(workgroup_id) wg: vec3u) {
  let in_at = wg.xy * 16u + l.xy;
  let out_at = wg.yx * 16u + l.xy;
  tile[l.y][l.x] = src[in_at.y * 64u + in_at.x];
#ifdef FIXED
  workgroupBarrier();
#else
  storageBarrier();
#endif
  dst[out_at.y * 64u + out_at.x] = tile[l.x][l.y];
}
