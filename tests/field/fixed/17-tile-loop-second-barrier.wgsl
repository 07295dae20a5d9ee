// A second barrier at the end of the body of the loop.

@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> tile: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var acc = 0u;
  for (var k = 0u; k < 4u; k++) {
    tile[li] = src[k * 64u + li];
    workgroupBarrier();
    for (var j = 0u; j < 64u; j++) { acc += tile[j]; }
    workgroupBarrier();
  }
  dst[li] = acc;
}
