// A struct with a plain and an atomic member, the plain one by one invocation only.
struct Work { next: atomic<u32>, limit: u32, done: array<u32, 64> }
@group(0) @binding(0) var<storage, read_write> work: Work;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  if (li == 3u) { work.limit = 10u; }
#ifdef FIXED
  storageBarrier();
#endif
  work.done[li] = work.limit + u32(atomicAdd(&work.next, 1u) > 0u) * 0u;
}
