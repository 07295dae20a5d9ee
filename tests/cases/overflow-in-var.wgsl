// The offset of a row is kept in a variable.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
override pitch = 0x10000000u;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  var i = (li / 32u) * 32u + li % 32u;
#else
  var i = (li * 16u) * pitch + li % 64u;
#endif
  dst[li] = src[i];
}
