// Rows of a sparse matrix: the row behind the last has no end.
@group(0) @binding(0) var<storage, read> begin: array<u32>;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let row = id.x;
#ifdef FIXED
  if (row >= arrayLength(&y)) { return; }
#else
  if (row >= arrayLength(&begin)) { return; }
#endif
  var s = 0.0;
  for (var k = begin[row]; k < begin[row + 1u]; k++) { s += a[k]; }
  y[row] = s;
}
