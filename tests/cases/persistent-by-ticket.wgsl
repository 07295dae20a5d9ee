// Clean both ways: workgroups draw blocks until there are none.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
@group(0) @binding(1) var<storage, read_write> next: atomic<u32>;
var<workgroup> block: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  loop {
    if (li == 0u) { block = atomicAdd(&next, 1u); }
    let b = workgroupUniformLoad(&block);
    if (b >= 16u) { break; }
    dst[b * 64u + li] = b;
#ifdef FIXED
    workgroupBarrier();
#endif
  }
}
