// A stencil that reads one element beyond its tile.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<f32, 66>;
#ifdef FIXED
const first = 0u;
#else
const first = 1u;
#endif

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wg: vec3u) {
  for (var i = li; i < 66u; i += 64u) {
    let at = i32(wg.x * 64u + i) - 1;
    tile[i] = select(0.0, src[clamp(at, 0, 255)], at >= 0 && at < 256);
  }
  workgroupBarrier();
  dst[wg.x * 64u + li] = tile[first + li] + tile[first + li + 1u] + tile[first + li + 2u];
}
