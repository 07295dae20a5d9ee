// Everyone searches until it has found, with a barrier in each turn.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> probe: u32;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  let want = src[li] % 8u;
  var at = 0u;
#ifdef FIXED
  for (var turn = 0u; turn < 8u; turn++) {
    if (li == 0u) { probe = turn; }
    workgroupBarrier();
    if (probe == want) { at = turn; }
    workgroupBarrier();
  }
#else
  while (at != want) {
    workgroupBarrier();
    at++;
  }
#endif
  dst[li] = at;
}
