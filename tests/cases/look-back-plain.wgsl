// A decoupled look-back in tickets whose sums are plain and only the flags atomic.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
@group(0) @binding(2) var<storage, read_write> ticket: atomic<u32>;
@group(0) @binding(3) var<storage, read_write> flags: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> sums: array<u32>;
var<workgroup> part: array<u32, 64>;
var<workgroup> tile: u32;
var<workgroup> before: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  if (li == 0u) { tile = atomicAdd(&ticket, 1u); }
  let t = workgroupUniformLoad(&tile);
  part[li] = src[t * 64u + li];
  workgroupBarrier();
  for (var s = 1u; s < 64u; s *= 2u) {
    let left = select(0u, part[max(li, s) - s], li >= s);
    workgroupBarrier();
    part[li] += left;
    workgroupBarrier();
  }
  if (li == 0u) {
    var sum = 0u;
    if (t > 0u) {
#ifdef FIXED
      loop { sum = atomicLoad(&flags[t - 1u]); if (sum != 0u) { break; } }
#else
      while (atomicLoad(&flags[t - 1u]) == 0u) {}
      sum = sums[t - 1u];
#endif
    }
    before = sum;
#ifdef FIXED
    atomicStore(&flags[t], sum + part[63]);
#else
    sums[t] = sum + part[63];
    atomicStore(&flags[t], 1u);
#endif
  }
  dst[t * 64u + li] = workgroupUniformLoad(&before) + part[li];
}
