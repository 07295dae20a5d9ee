// Invocations of a workgroup exchange data through a storage buffer behind the other barrier.
@group(0) @binding(0) var<storage, read_write> work: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wg: vec3u) {
  let base = wg.x * 64u;
  work[base + li] = li * li;
#ifdef FIXED
  storageBarrier();
#else
  workgroupBarrier();
#endif
  dst[base + li] = work[base + 63u - li];
}
