// A column past the width of 30 lies in the next row: nothing is out of bounds but the end.
@group(0) @binding(0) var<storage, read_write> dst: array<u32, 360>;

@compute @workgroup_size(8, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  if (id.x < 30u) { dst[id.y * 30u + id.x] = id.x; }
#else
  if (id.y * 30u + id.x < 360u) { dst[id.y * 30u + id.x] = id.x; }
#endif
}
