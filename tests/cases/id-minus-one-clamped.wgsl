// The left neighbour of the first is clamped after it has wrapped around.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let last = arrayLength(&src) - 1u;
#ifdef FIXED
  let left = max(id.x, 1u) - 1u;
#else
  let left = id.x;
#endif
#ifdef FIXED
  dst[id.x] = src[left] + src[min(id.x + 1u, last)];
#else
  dst[id.x] = src[min(left - 1u, last)] + src[min(id.x + 1u, last)];
#endif
}
