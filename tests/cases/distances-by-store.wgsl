// Distances that are loaded and stored lose updates, which the next turn makes up for: they are right in
// the end. Faulty, there is but one turn.
@group(0) @binding(0) var<storage, read> ends: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> far: array<atomic<u32>, 64>;
var<workgroup> changed: atomic<u32>;
var<workgroup> go: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  atomicStore(&far[li], select(999u, 0u, li == 0u));
  loop {
    if (li == 0u) { atomicStore(&changed, 0u); }
    workgroupBarrier();
    let here = atomicLoad(&far[li]);
    for (var e = 0u; e < 3u; e++) {
      let to = ends[3u * li + e] % 64u;
      if (atomicLoad(&far[to]) > here + e + 1u) {
        atomicStore(&far[to], here + e + 1u);
        atomicStore(&changed, 1u);
      }
    }
    workgroupBarrier();
#ifdef FIXED
    if (li == 0u) { go = atomicLoad(&changed); }
#endif
    if (workgroupUniformLoad(&go) == 0u) { break; }
  }
  dst[li] = atomicLoad(&far[li]);
}
