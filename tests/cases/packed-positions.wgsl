// Positions packed by the host without padding: 48 floats are 12 vec3 elements and no 16.
@group(0) @binding(0) var<storage, read> p: array<vec3f>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  if (li < arrayLength(&p)) { dst[li * 4u] = p[li].x; dst[li * 4u + 1u] = p[li].y; dst[li * 4u + 2u] = p[li].z; dst[li * 4u + 3u] = 1.0; }
  else { for (var c = 0u; c < 4u; c++) { dst[li * 4u + c] = 0.0; } }
#else
  for (var c = 0u; c < 4u; c++) { dst[li * 4u + c] = p[li].x; }
#endif
}
