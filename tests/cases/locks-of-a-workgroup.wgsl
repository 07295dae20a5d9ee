// Clean both ways: sums behind a lock by exchange, or by ticket.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> next: atomic<u32>;
var<workgroup> lock: atomic<u32>;
var<workgroup> sum: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  let ticket = atomicAdd(&next, 1u);
  while (atomicLoad(&lock) != ticket) {}
  atomicStore(&sum, atomicLoad(&sum) + src[li] % 7u);
  atomicStore(&lock, ticket + 1u);
#else
  for (var done = false; !done;) {
    if (atomicExchange(&lock, 1u) == 0u) {
      atomicStore(&sum, atomicLoad(&sum) + src[li] % 7u);
      atomicStore(&lock, 0u);
      done = true;
    }
  }
#endif
  workgroupBarrier();
  dst[li] = atomicLoad(&sum);
}
