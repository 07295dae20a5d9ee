// A u32 is never below zero: a loop that counts down to zero does not end.
@group(0) @binding(0) var<storage, read_write> dst: array<u32, 8>;

@compute @workgroup_size(1)
fn main() {
#ifdef FIXED
  for (var i = 8u; i > 0u; i--) { dst[i - 1u] = i; }
#else
  for (var i = 7u; i >= 0u; i--) { dst[i] = i; }
#endif
}
