// Some invocations leave a loop that has a barrier in it before others.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> tile: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var x = src[li];
  for (var k = 0u; k < 8u; k++) {
#ifndef FIXED
    if (x > 2147483648u) { break; }
#endif
    tile[li] = x;
    workgroupBarrier();
    let other = tile[63u - li];
    workgroupBarrier();
#ifdef FIXED
    if (x > 2147483648u) { continue; }
#endif
    x += other;
  }
  dst[li] = x;
}
