// Clean both ways: whoever comes first does it, and what is done does not depend on who.
@group(0) @binding(0) var<storage, read_write> claimed: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32, 1>;

@compute @workgroup_size(64)
fn main() {
#ifdef FIXED
  if (atomicExchange(&claimed, 1u) == 0u) { dst[0] = 42u; }
#else
  if (atomicCompareExchangeWeak(&claimed, 0u, 1u).exchanged) { dst[0] = 42u; }
#endif
}
