// Butterflies in storage by one workgroup, with the barrier of the other memory.
@group(0) @binding(0) var<storage, read_write> data: array<vec2f, 64>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) li: u32) {
  for (var half = 1u; half < 64u; half *= 2u) {
    let i = (li / half) * half * 2u + li % half;
    let a = data[i];
    let b = data[i + half];
    data[i] = a + b;
    data[i + half] = a - b;
#ifdef FIXED
    storageBarrier();
#else
    workgroupBarrier();
#endif
  }
}
