// One sets the flag that ends the loop of all; it sets it again while others still look at the last one.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> done: u32;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var x = src[li];
  for (var turn = 0u; ; turn++) {
    if (li == 0u) { done = select(0u, 1u, turn == 4u); }
#ifdef FIXED
    let end = workgroupUniformLoad(&done);
#else
    workgroupBarrier();
    let end = done;
#endif
    if (end == 1u) { break; }
    x = x * 3u + 1u;
  }
  dst[li] = x;
}
