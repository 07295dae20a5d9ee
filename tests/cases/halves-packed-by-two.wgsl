// Two invocations put their halves into one word of workgroup memory.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> packed: array<u32, 32>;
#ifdef FIXED
var<workgroup> whole: array<f32, 64>;
#endif
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  let bits = pack2x16float(vec2f(src[li], 0.0));
#ifdef FIXED
  whole[li] = src[li];
  workgroupBarrier();
  if (li < 32u) { packed[li] = pack2x16float(vec2f(whole[2u * li], whole[2u * li + 1u])); }
#else
  if (li % 2u == 0u) {
    packed[li / 2u] = (packed[li / 2u] & 0xffff0000u) | bits;
  } else {
    packed[li / 2u] = (packed[li / 2u] & 0xffffu) | (bits << 16u);
  }
#endif
  workgroupBarrier();
  if (li < 32u) { dst[li] = packed[li]; }
}
