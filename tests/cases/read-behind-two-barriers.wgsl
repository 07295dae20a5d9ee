// What is read two barriers later meets the store of the turn after next.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> t: array<array<u32, 64>, 2>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var s = 0u;
  for (var k = 0u; k < 8u; k++) {
    t[k % 2u][li] = k;
    workgroupBarrier();
#ifdef FIXED
    s += t[k % 2u][63u - li];
#else
    s += t[(k + 1u) % 2u][63u - li];
    if (k % 2u == 1u) { workgroupBarrier(); }
#endif
  }
  dst[li] = s;
}
