// Clean both ways: a scan by look-back; state and sum of a workgroup are one word, and workgroups take numbers.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
@group(0) @binding(2) var<storage, read_write> state: array<atomic<u32>, 9>;
var<workgroup> number: u32;
var<workgroup> before: u32;
var<workgroup> sums: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  if (li == 0u) { number = atomicAdd(&state[8], 1u); }
  let w = workgroupUniformLoad(&number);
  sums[li] = src[w * 64u + li] & 3u;
  workgroupBarrier();
  for (var s = 1u; s < 64u; s *= 2u) {
    var x = 0u;
    if (li >= s) { x = sums[li - s]; }
    workgroupBarrier();
    sums[li] += x;
    workgroupBarrier();
  }
  if (li == 63u) {
    let own = sums[63];
    atomicStore(&state[w], (own << 2u) | 1u);
    var sum = 0u;
    var back = w;
    loop {
      if (back == 0u) { break; }
      let word = atomicLoad(&state[back - 1u]);
      if ((word & 3u) == 0u) { continue; }
      sum += word >> 2u;
      if ((word & 3u) == 2u) { break; }
      back--;
    }
    atomicStore(&state[w], ((sum + own) << 2u) | 2u);
    before = sum;
  }
  workgroupBarrier();
  dst[w * 64u + li] = before + sums[li];
}
