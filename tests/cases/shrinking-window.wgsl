// Each turn the window shrinks by one; what is beyond it stays as it was and is read later.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> v: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  v[li] = src[li];
  workgroupBarrier();
  var total = 0u;
  for (var k = 63u; k > 0u; k--) {
    var y = 0u;
    if (li < k) { y = max(v[li], v[li + 1u]); }
#ifdef FIXED
    workgroupBarrier();
#endif
    if (li < k) { v[li] = y; }
    workgroupBarrier();
  }
  dst[li] = v[li] + total;
}
