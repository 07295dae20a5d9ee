// Indices by hashing wrap around on purpose; a row times a pitch must not.
@group(0) @binding(0) var<storage, read> src: array<u32, 256>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
override pitch = 65536u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  var h = id.x * 2654435761u;
  h = (h ^ (h >> 15u)) * 2246822519u;
  h ^= h >> 13u;
  let r = h * 1664525u + 1013904223u;
  dst[id.x] = src[h % 256u] + src[r >> 24u] + src[(r * 69069u) & 255u];
#else
  dst[id.x] = src[id.x * 65536u * pitch];
#endif
}
