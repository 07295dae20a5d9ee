// A producer and a consumer share a ring of four words, two counters between them.
@group(0) @binding(0) var<storage, read_write> ends: array<atomic<u32>, 2>;
#ifdef FIXED
@group(0) @binding(1) var<storage, read_write> ring: array<atomic<u32>, 4>;
#else
@group(0) @binding(1) var<storage, read_write> ring: array<u32, 4>;
#endif
@group(0) @binding(2) var<storage, read_write> dst: array<u32, 16>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) w: vec3u) {
  for (var k = 0u; k < 16u; k++) {
    if (w.x == 0u) {
      while (k - atomicLoad(&ends[1]) >= 4u) {}
#ifdef FIXED
      while (atomicLoad(&ring[k % 4u]) != 0u) {}
      atomicStore(&ring[k % 4u], k + 1u);
#else
      ring[k % 4u] = k + 1u;
#endif
      atomicStore(&ends[0], k + 1u);
    } else {
#ifdef FIXED
      loop {
        dst[k] = atomicExchange(&ring[k % 4u], 0u);
        if (dst[k] != 0u) { break; }
      }
#else
      while (atomicLoad(&ends[0]) <= k) {}
      dst[k] = ring[k % 4u];
#endif
      atomicStore(&ends[1], k + 1u);
    }
  }
}
