// A dispatch that is rounded up, without a check of the index.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  if (id.x >= arrayLength(&dst)) { return; }
#endif
  dst[id.x] = 2.0 * src[id.x];
}
