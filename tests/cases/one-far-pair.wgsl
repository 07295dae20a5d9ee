// One invocation of 256 reads one word of another, in the last of many turns.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> t: array<u32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) li: u32) {
  var s = 0u;
  for (var k = 0u; k < 20u; k++) {
    t[li] = k + li;
#ifdef FIXED
    workgroupBarrier();
#endif
    if (k == 19u && li == 200u) { s = t[3]; } else { s += t[li]; }
#ifdef FIXED
    workgroupBarrier();
#endif
  }
  dst[li] = s;
}
