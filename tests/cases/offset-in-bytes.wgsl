// An offset in bytes passes 2^32 and is divided afterwards; counted in words it does not.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
override pitch = 134217728u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  let word = id.x * (pitch / 4u);
  if (word < arrayLength(&src)) { dst[id.x] = src[word]; } else { dst[id.x] = 1u; }
#else
  let byte = id.x * pitch;
  if (byte / 4u < arrayLength(&src)) { dst[id.x] = src[byte / 4u]; } else { dst[id.x] = 1u; }
#endif
}
