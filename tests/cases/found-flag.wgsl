// All that find it store the same.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> found: u32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  if (src[id.x] == 100u) { found = 1u; }
#else
  if (src[id.x] > 100u) { found = 1u; }
#endif
}
