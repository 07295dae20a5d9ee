// A row of 200 is walked by 64 invocations, 200 / 64 times.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  for (var x = li; x < 200u; x += 64u) { dst[w.x * 200u + x] = src[w.x * 200u + x] * 2u; }
#else
  for (var k = 0u; k < 200u / 64u; k++) {
    let i = w.x * 200u + k * 64u + li;
    dst[i] = src[i] * 2u;
  }
#endif
}
