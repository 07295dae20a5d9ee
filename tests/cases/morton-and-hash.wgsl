// Clean both ways: indices from a hash of a cell, with wrapping products of signed cells.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
fn cell_hash(c: vec3i) -> u32 {
  let h = (u32(c.x) * 73856093u) ^ (u32(c.y) * 19349663u) ^ (u32(c.z) * 83492791u);
  return h % 61u;
}
fn pcg(v: u32) -> u32 {
  let state = v * 747796405u + 2891336453u;
  let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var s = 0u;
  for (var d = -1; d <= 1; d++) {
    s += src[cell_hash(vec3i(i32(li) + d, i32(li / 8u) - d, d))];
  }
  var seed = li;
  for (var k = 0u; k < 4u; k++) {
    seed = pcg(seed);
    s += src[seed % 64u] + src[u32(f32(seed) / 4294967296.0 * 63.0)];
  }
  var x = li * 1973u + 9277u;
  x = (x ^ 61u) ^ (x >> 16u);
  x *= 9u;
  x = x ^ (x >> 4u);
  x *= 0x27d4eb2du;
  x = x ^ (x >> 15u);
  dst[li] = s + src[x & 63u] + src[(x * 2654435769u) >> 26u];
}
