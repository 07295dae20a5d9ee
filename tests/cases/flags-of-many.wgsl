// Many set one atomic flag of the workgroup to one: any order gives one.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> found: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  if (src[li] % 5u == 0u) { atomicStore(&found, 1u); }
#else
  if (src[li] % 5u == 0u) { atomicStore(&found, li); }
#endif
  workgroupBarrier();
  dst[li] = atomicLoad(&found);
}
