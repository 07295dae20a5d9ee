// A triangular system solved from its last row on.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> x: array<f32, 32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) li: u32) {
  var rest = a[li] + 1.0;
  for (var t = 0u; t < 32u; t++) {
    let k = 31u - t;
    if (li == k) { x[k] = rest; }
#ifdef FIXED
    workgroupBarrier();
#endif
    if (li < k) {
      var s = 0.0;
      for (var j = k; j < 32u; j++) { s += x[j]; }
      rest = a[li] - 0.25 * s;
    }
    workgroupBarrier();
  }
  dst[li] = x[li];
}
