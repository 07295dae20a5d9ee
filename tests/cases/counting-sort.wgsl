// Clean both ways: digits are counted, offsets summed, places taken by atomics; equal keys are equal.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> count: array<atomic<u32>, 16>;
var<workgroup> begin: array<atomic<u32>, 16>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  let key = src[li] & 15u;
  if (li < 16u) { atomicStore(&count[li], 0u); }
  workgroupBarrier();
  atomicAdd(&count[key], 1u);
  workgroupBarrier();
  if (li == 0u) {
    var s = 0u;
    for (var k = 0u; k < 16u; k++) {
      atomicStore(&begin[k], s);
      s += atomicLoad(&count[k]);
    }
  }
  workgroupBarrier();
  dst[atomicAdd(&begin[key], 1u)] = key;
}
