// An index clamped into the buffer: the last element gets the values of all that are beyond it.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  if (id.x < arrayLength(&dst)) { dst[id.x] = id.x * 3u; }
#else
  dst[min(id.x, arrayLength(&dst) - 1u)] = id.x * 3u;
#endif
}
