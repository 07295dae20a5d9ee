// A bound that is looked at to save work: any value of it gives the same result. Faulty, the bound is
// the result.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> best: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wg: vec3u) {
  for (var k = 0u; k < 4u; k++) {
    let x = (src[k * 64u + li] * 37u) % 251u;
    if (x > atomicLoad(&best)) { atomicMax(&best, x); }
  }
#ifdef FIXED
  workgroupBarrier();
#endif
  dst[wg.x * 64u + li] = atomicLoad(&best);
}
