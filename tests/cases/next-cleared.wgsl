// Each clears the next slot, which another fills: the value that is there already is not the one of the other.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> t: array<u32, 33>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) li: u32) {
  t[li] = li + 1u;
#ifndef FIXED
  t[li + 1u] = 0u;
#endif
  workgroupBarrier();
  out[li] = t[li]; out[li + 32u] = t[31u - li];
}
