// A barrier of one's own by counting arrivals: no order for plain memory; atomics alone are all right.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> arrived: atomic<u32>;
#ifdef FIXED
var<workgroup> part: array<atomic<u32>, 64>;
#else
var<workgroup> part: array<u32, 64>;
#endif

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  atomicStore(&part[li], li * li);
#else
  part[li] = li * li;
#endif
  atomicAdd(&arrived, 1u);
  while (atomicLoad(&arrived) < 64u) {}
#ifdef FIXED
  workgroupBarrier();
  dst[li] = atomicLoad(&part[63u - li]);
#else
  dst[li] = part[63u - li];
#endif
}
