// Clean both ways: the list is in another order every time, which is by design; the bound beside it only
// saves work.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> next: atomic<u32>;
var<workgroup> most: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  let x = src[li] % 1000u;
#ifdef FIXED
  if (x > atomicLoad(&most)) { atomicMax(&most, x); }
#else
  var old = atomicLoad(&most);
  while (x > old) {
    let r = atomicCompareExchangeWeak(&most, old, x);
    if (r.exchanged) { break; }
    old = r.old_value;
  }
#endif
  dst[atomicAdd(&next, 1u)] = x;
  workgroupBarrier();
  if (li == 0u) { dst[64] = atomicLoad(&most); }
}
