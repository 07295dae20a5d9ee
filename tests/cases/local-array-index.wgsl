// An index beyond an array of the function.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) li: u32) {
  var table = array<u32, 8>(1, 2, 3, 4, 5, 6, 7, 8);
#ifdef FIXED
  dst[li] = table[li % 8u];
#else
  dst[li] = table[li / 2u];
#endif
}
