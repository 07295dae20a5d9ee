// Data and an atomic flag in one workgroup: the waiting invocation may read old data.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> data: array<u32, 32>;
var<workgroup> ready: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  if (li < 32u) { data[li] = li * 3u; atomicAdd(&ready, 1u); }
#ifdef FIXED
  workgroupBarrier();
#else
  while (atomicLoad(&ready) < 32u) {}
#endif
  dst[li] = data[li % 32u];
}
