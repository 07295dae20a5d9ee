// The last to arrive sets the counter back; faulty, the first does.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> arrived: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var last = 0u;
  for (var k = 0u; k < 3u; k++) {
    let n = atomicAdd(&arrived, 1u);
#ifdef FIXED
    if (n == 63u) { atomicStore(&arrived, 0u); last += 1u; }
#else
    if (li == 0u) { atomicStore(&arrived, 0u); last += n; }
#endif
    workgroupBarrier();
  }
  dst[li] = last;
}
