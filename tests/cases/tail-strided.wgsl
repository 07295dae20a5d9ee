// A tile of two words for each invocation; the last one is not full, and not cleared.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> tile: array<u32, 128>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  let n = arrayLength(&src);
  var acc = 0u;
  for (var k = 0u; k < n; k += 128u) {
    let count = min(128u, n - k);
    for (var i = li; i < count; i += 64u) { tile[i] = src[k + i]; }
#ifdef FIXED
    for (var i = count + li; i < 128u; i += 64u) { tile[i] = 0u; }
#endif
    workgroupBarrier();
    for (var j = 0u; j < 128u; j++) { acc += tile[j]; }
    workgroupBarrier();
  }
  dst[li] = acc;
}
