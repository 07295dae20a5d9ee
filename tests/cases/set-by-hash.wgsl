// Clean both ways: where a key lands depends on the order, and which keys there are does not.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> keys: array<atomic<u32>, 128>;
var<workgroup> count: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  let key = src[li] % 50u + 1u;
  var at = key % 16u;
  loop {
#ifdef FIXED
    if (atomicLoad(&keys[at]) == key) { break; }
#endif
    let r = atomicCompareExchangeWeak(&keys[at], 0u, key);
    if (r.exchanged) { atomicAdd(&count, 1u); break; }
    if (r.old_value == key) { break; }
    if (r.old_value != 0u) { at = (at + 1u) % 128u; }
  }
  workgroupBarrier();
  var sum = atomicLoad(&count);
  for (var i = 0u; i < 128u; i++) { sum += atomicLoad(&keys[i]); }
  dst[li] = sum;
}
