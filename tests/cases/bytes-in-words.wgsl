// Four invocations put a byte each into one word.
#ifdef FIXED
@group(0) @binding(0) var<storage, read_write> dst: array<atomic<u32>>;
#else
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
#endif

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let byte = (id.x & 255u) << (8u * (id.x % 4u));
#ifdef FIXED
  atomicOr(&dst[id.x / 4u], byte);
#else
  dst[id.x / 4u] |= byte;
#endif
}
