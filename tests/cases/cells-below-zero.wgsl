// Cells left of the origin: their columns in a ring of 250 are not where they should be. A hash of them wraps around
// on purpose, however small its factors are.
@group(0) @binding(0) var<storage, read> table: array<u32, 250>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

fn hash_2d(cell: vec2i) -> u32 {
  let c = vec2u(cell);
  return c.x * 15823u + c.y * 9737333u;
}

fn key(hash: u32, size: u32) -> u32 {
  return hash % size;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let cell = vec2i(id.xy) - vec2i(32, 2);
#ifdef FIXED
  let small = u32(cell.x * 31 + cell.y * 17);
  let plain = u32((cell.x + 32) * 31 + cell.y);
  let shifted = (u32(cell.x) << 5u) + (u32(cell.x) >> 2u) + 7u;
  dst[id.y * 64u + id.x] = table[key(hash_2d(cell), 250u)] + table[small % 250u] + table[plain % 250u] +
    table[shifted % 250u];
#else
  dst[id.y * 64u + id.x] = table[key(u32(cell.x), 250u)];
#endif
}
