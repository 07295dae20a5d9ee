// Every invocation puts its number into one word of the workgroup, and the one that stays is the result. Fixed: all put
// the same.
@group(0) @binding(0) var<storage, read_write> d: array<u32>;
var<workgroup> last: atomic<u32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) l: u32) {
#ifdef FIXED
  atomicExchange(&last, 1u);
#else
  atomicExchange(&last, l + 1u);
#endif
  workgroupBarrier();
  d[l] = atomicLoad(&last);
}
