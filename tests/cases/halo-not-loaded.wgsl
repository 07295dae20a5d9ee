// A stencil whose tile has a halo, of which the right one is not loaded.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<f32, 66>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) id: vec3u) {
  let n = arrayLength(&src);
  tile[li + 1u] = src[id.x];
  if (li == 0u) { tile[0] = select(0.0, src[max(id.x, 1u) - 1u], id.x > 0u); }
#ifdef FIXED
  if (li == 63u) { tile[65] = select(0.0, src[min(id.x + 1u, n - 1u)], id.x + 1u < n); }
#endif
  workgroupBarrier();
  dst[id.x] = tile[li] + tile[li + 1u] + tile[li + 2u];
}
