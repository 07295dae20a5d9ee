// The least value and its place are two words: whoever finds its value to be the least stores its place.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> least: atomic<u32>;
var<workgroup> place: atomic<u32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  if (li == 0u) { atomicStore(&least, 0xffffffffu); }
  workgroupBarrier();
#ifdef FIXED
  atomicMin(&least, (src[li] & 0xffffffc0u) | li);
#else
  if (atomicMin(&least, src[li]) > src[li]) { atomicStore(&place, li); }
#endif
  workgroupBarrier();
  if (li == 0u) {
    dst[0] = atomicLoad(&least);
    dst[1] = atomicLoad(&place);
  }
}
