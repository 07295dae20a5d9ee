// Clean both ways: bits interleaved by shifts.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

fn spread(v: u32) -> u32 {
  var x = v & 0xffffu;
  x = (x | (x << 8u)) & 0x00ff00ffu;
  x = (x | (x << 4u)) & 0x0f0f0f0fu;
  x = (x | (x << 2u)) & 0x33333333u;
  return (x | (x << 1u)) & 0x55555555u;
}

@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_id) l: vec3u) {
  for (var k = 0u; k < 16u; k++) {
    let x = l.x + 16u * (k % 4u);
    let y = l.y + 16u * (k / 4u);
#ifdef FIXED
    dst[spread(x) | (spread(y) << 1u)] = src[y * 64u + x];
#else
    dst[spread(x) + spread(y) * 2u] = src[(y << 6u) + x];
#endif
  }
}
