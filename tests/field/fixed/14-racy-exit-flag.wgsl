// workgroupUniformLoad brings barriers before and after the flag is read.

@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> live: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var k = 0u;
  loop {
    if (li == 0u) { atomicStore(&live, 0u); }
    workgroupBarrier();
    if (k < src[li]) { atomicOr(&live, 1u); k++; }
    workgroupBarrier();
    if (workgroupUniformLoad(&live) == 0u) { break; }
  }
  dst[li] = k;
}
