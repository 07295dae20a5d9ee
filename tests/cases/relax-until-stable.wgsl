// Labels spread until a turn changes none; the flag is set back behind a barrier.
@group(0) @binding(0) var<storage, read> link: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> label: array<atomic<u32>, 64>;
var<workgroup> changed: atomic<u32>;
var<workgroup> go: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  atomicStore(&label[li], li);
  loop {
    if (li == 0u) { atomicStore(&changed, 0u); }
#ifdef FIXED
    workgroupBarrier();
#endif
    let other = link[li] % 64u;
    let mine = atomicLoad(&label[li]);
    if (atomicMin(&label[other], mine) > mine) { atomicStore(&changed, 1u); }
    workgroupBarrier();
    if (li == 0u) { go = atomicLoad(&changed); }
    if (workgroupUniformLoad(&go) == 0u) { break; }
  }
  dst[li] = atomicLoad(&label[li]);
}
