// The product of an index passes 2^32; what is left of it lies inside the buffer.
@group(0) @binding(0) var<storage, read_write> output: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let row = (id.x + 1u) * 65536u;
  output[row * 65536u + id.x] = 1u;
  // a hash wraps on purpose
  let hash = (id.x * 2654435769u) >> 26u;
  // one less, as a u32
  let before = id.x + 65u + u32(-1i * i32(hash / 64u + 1u));
  output[before] = hash;
}
