// Bins of bytes for each invocation, four to a word: neighbours share words.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, 8>;
var<workgroup> mine: array<u32, 512>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  let word = li * 8u + src[id.x] % 8u;
  for (var k = 0u; k < 8u; k++) { mine[li * 8u + k] = 0u; }
  mine[word] += 1u;
#else
  let word = (li / 4u) * 8u + src[id.x] % 8u;
  for (var k = 0u; k < 8u; k++) { mine[li * 8u + k] = 0u; }
  workgroupBarrier();
  mine[word] += 1u << ((li % 4u) * 8u);
#endif
  workgroupBarrier();
  if (li < 8u) {
    var sum = 0u;
    for (var k = 0u; k < 64u; k++) { sum += mine[k * 8u + li]; }
    atomicAdd(&bins[li], sum);
  }
}
