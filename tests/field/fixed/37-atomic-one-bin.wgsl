// A copy of the bins for each invocation.

@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> copies: array<atomic<u32>, 1024>;
var<workgroup> key: u32;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) li: u32) {
  if (li == 0u) { key = 2u; }
  workgroupBarrier();
  let k = key;
  atomicAdd(&copies[k * 256u + li], 1u);
  workgroupBarrier();
  if (li < 4u) {
    var sum = 0u;
    for (var i = 0u; i < 256u; i++) { sum += atomicLoad(&copies[li * 256u + (i + li) % 256u]); }
    dst[li] = sum;
  }
}
