// A bitonic sort of one workgroup straight in storage: its barrier is storageBarrier.
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) li: u32) {
  for (var k = 2u; k <= 64u; k <<= 1u) {
    for (var j = k >> 1u; j > 0u; j >>= 1u) {
      let low = (li / j) * 2u * j + li % j;
      let high = low + j;
      let x = a[low];
      let y = a[high];
      if ((x > y) == ((low & k) == 0u)) { a[low] = y; a[high] = x; }
#ifdef FIXED
      storageBarrier();
#else
      workgroupBarrier();
#endif
    }
  }
}
