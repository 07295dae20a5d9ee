// The element before the first: zero less one wraps around.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  if (id.x == 0u) { dst[0] = src[0]; return; }
#endif
  dst[id.x] = src[id.x] - src[id.x - 1u];
}
