// Clean both ways: jobs go into a list by an atomic, and come out behind a barrier.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> list: array<u32, 256>;
var<workgroup> count: atomic<u32>;
var<workgroup> total: u32;
var<workgroup> sum: atomic<u32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  for (var k = li; k < 256u; k += 64u) {
    if ((src[k] & 3u) == 0u) { list[atomicAdd(&count, 1u)] = k; }
  }
  workgroupBarrier();
  if (li == 0u) { total = atomicLoad(&count); }
  let n = workgroupUniformLoad(&total);
  for (var k = li; k < n; k += 64u) { atomicAdd(&sum, list[k]); }
  workgroupBarrier();
  dst[li] = atomicLoad(&sum) + n;
}
