// The next tile is loaded while the present one is used: with a barrier on either side it is clean.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> tiles: array<array<u32, 64>, 2>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var acc = 0u;
  tiles[0][li] = src[li];
  workgroupBarrier();
  for (var k = 0u; k < 8u; k++) {
    if (k + 1u < 8u) { tiles[(k + 1u) % 2u][li] = src[(k + 1u) * 64u + li]; }
#ifdef BOTH
    workgroupBarrier();
#endif
    for (var j = 0u; j < 64u; j++) { acc += tiles[k % 2u][j]; }
#ifdef FIXED
    workgroupBarrier();
#endif
  }
  dst[li] = acc;
}
