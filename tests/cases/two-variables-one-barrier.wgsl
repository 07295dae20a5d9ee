// Two tiles take turns with one barrier a step: enough for two, not for one that is used twice.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> tiles: array<array<u32, 64>, 2>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var acc = 0u;
  for (var k = 0u; k < 6u; k++) {
#ifdef FIXED
    let t = k % 2u;
#else
    let t = k / 2u % 2u;
#endif
    tiles[t][li] = src[k * 64u + li];
    workgroupBarrier();
    acc += tiles[t][63u - li];
  }
  dst[li] = acc;
}
