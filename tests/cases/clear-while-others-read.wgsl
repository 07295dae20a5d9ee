// A counter is set to zero for the next round while others still read it.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> n: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  for (var k = 0u; k < 4u; k++) {
    if (src[k * 64u + li] % (k + 2u) == 0u) { atomicAdd(&n, 1u); }
    workgroupBarrier();
    dst[k * 64u + li] = atomicLoad(&n);
#ifdef FIXED
    workgroupBarrier();
#endif
    if (li == 0u) { atomicStore(&n, 0u); }
    workgroupBarrier();
  }
}
