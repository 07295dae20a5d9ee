// A window over the last four tiles, kept in a ring; its oldest row is read before it is there.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> ring: array<array<u32, 64>, 4>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  for (var k = 0u; k < 12u; k++) {
    ring[k % 4u][li] = src[k * 64u + li];
#ifdef FIXED
    workgroupBarrier();
#endif
    var sum = 0u;
    for (var j = 0u; j < min(k + 1u, 4u); j++) { sum += ring[(k - j) % 4u][63u - li]; }
    dst[k * 64u + li] = sum;
    workgroupBarrier();
  }
}
