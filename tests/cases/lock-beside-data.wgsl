// A struct of a lock and what it protects, in workgroup memory: the lock orders nothing.
struct Account { lock: atomic<u32>, total: u32 }
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> a: Account;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  atomicAdd(&a.lock, li);
  workgroupBarrier();
  if (li == 0u) { a.total = atomicLoad(&a.lock); }
#else
  loop {
    if (atomicExchange(&a.lock, 1u) == 0u) { break; }
  }
  a.total += li;
  atomicStore(&a.lock, 0u);
#endif
  workgroupBarrier();
  dst[li] = a.total;
}
