// Clean both ways: hashes wrap on purpose, in functions, by arguments, into tables.
@group(0) @binding(0) var<storage, read> src: array<u32, 256>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

fn pcg(v: u32) -> u32 {
  let state = v * 747796405u + 2891336453u;
  let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}
fn wang(seed: u32) -> u32 {
  var s = (seed ^ 61u) ^ (seed >> 16u);
  s *= 9u;
  s = s ^ (s >> 4u);
  s *= 0x27d4eb2du;
  return s ^ (s >> 15u);
}
fn cell(p: vec2u) -> u32 { return (p.x * 73856093u) ^ (p.y * 19349663u); }
fn slot(h: u32, k: u32) -> u32 { return (h + k * k) & 255u; }

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var x = pcg(li);
  let y = wang(li);
  var rng = li * 1664525u + 1013904223u;
#ifdef FIXED
  rng = rng * 1664525u + 1013904223u;
#endif
  dst[li] = src[x % 256u] + src[y & 255u] + src[cell(vec2u(li, y)) % 256u] + src[slot(x, y)] + src[rng >> 24u] +
            src[(x * 31u + y) % 200u] + src[u32(f32(rng) / 4294967296.0 * 255.0)];
}
