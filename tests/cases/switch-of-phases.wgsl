// A machine of phases: what the one phase stores the next reads in the next turn, without a barrier.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> tile: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var x = src[li];
  for (var phase = 0u; phase < 4u; phase++) {
    switch phase {
      case 0u: { tile[li] = x; }
      case 1u: { x += tile[(li + 1u) % 64u]; }
      case 2u: { x *= 2u; }
      default: { dst[li] = x; }
    }
#ifdef FIXED
    workgroupBarrier();
#endif
  }
}
