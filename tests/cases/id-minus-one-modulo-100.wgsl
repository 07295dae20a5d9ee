// Around the edge of a ring whose length is no power of two.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(100)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  dst[id.x] = src[(id.x + 99u) % 100u];
#else
  dst[id.x] = src[(id.x - 1u) % 100u];
#endif
}
