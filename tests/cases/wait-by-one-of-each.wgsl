// Lanes with a short list leave the loop, whose turns have a barrier.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> seen: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var s = 0u;
#ifdef FIXED
  for (var k = 0u; k < 8u; k++) {
    if (k < src[li] % 8u) { s += k; }
    seen[li] = s;
    workgroupBarrier();
    s += seen[63u - li] & 1u;
    workgroupBarrier();
  }
#else
  for (var k = 0u; k < src[li] % 8u; k++) {
    s += k;
    seen[li] = s;
    workgroupBarrier();
    s += seen[63u - li] & 1u;
    workgroupBarrier();
  }
#endif
  dst[li] = s;
}
