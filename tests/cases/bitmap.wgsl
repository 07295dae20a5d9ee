// A bitmap of who found something, read by all.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> found: array<atomic<u32>, 2>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  if (src[li] % 3u == 0u) { atomicOr(&found[li / 32u], 1u << (li % 32u)); }
#ifdef FIXED
  workgroupBarrier();
#endif
  dst[li] = countOneBits(atomicLoad(&found[0])) + countOneBits(atomicLoad(&found[1]));
}
