// A version that is odd while data are written; the reader looks at it before and behind.
@group(0) @binding(0) var<storage, read_write> version: atomic<u32>;
#ifdef FIXED
@group(0) @binding(1) var<storage, read_write> data: array<atomic<u32>, 4>;
#else
@group(0) @binding(1) var<storage, read_write> data: array<u32, 4>;
#endif
@group(0) @binding(2) var<storage, read_write> seen: array<u32, 4>;
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) w: vec3u) {
  if (w.x == 0u) {
    atomicAdd(&version, 1u);
    for (var k = 0u; k < 4u; k++) {
#ifdef FIXED
      atomicStore(&data[k], 7u);
#else
      data[k] = 7u;
#endif
    }
    atomicAdd(&version, 1u);
  } else {
    for (var turn = 0u; turn < 8u; turn++) {
      let before = atomicLoad(&version);
      var copy: array<u32, 4>;
      for (var k = 0u; k < 4u; k++) {
#ifdef FIXED
        copy[k] = atomicLoad(&data[k]);
#else
        copy[k] = data[k];
#endif
      }
      if (before % 2u == 0u && atomicLoad(&version) == before) {
        for (var k = 0u; k < 4u; k++) { seen[k] = copy[k]; }
      }
    }
  }
}
