// A loop with a barrier whose number of turns differs between invocations.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> tile: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  tile[li] = li;
  workgroupBarrier();
  var x = 0u;
#ifdef FIXED
  for (var k = 0u; k < 4u; k++) {
    if (k < li % 4u) { x += tile[(li + k) % 64u]; }
    workgroupBarrier();
  }
#else
  for (var k = 0u; k < li % 4u; k++) {
    x += tile[(li + k) % 64u];
    workgroupBarrier();
  }
#endif
  dst[li] = x;
}
