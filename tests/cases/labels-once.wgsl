// One turn of labels along edges: how far they come depends on the order. Fixed, each only looks at its
// own end.
@group(0) @binding(0) var<storage, read> ends: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> label: array<atomic<u32>, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  let a = ends[2u * li] % 64u;
  let b = ends[2u * li + 1u] % 64u;
  atomicStore(&label[li], li);
  workgroupBarrier();
#ifdef FIXED
  atomicMin(&label[a], b);
  atomicMin(&label[b], a);
#else
  atomicMin(&label[a], atomicLoad(&label[b]));
  atomicMin(&label[b], atomicLoad(&label[a]));
#endif
  workgroupBarrier();
  dst[li] = atomicLoad(&label[li]);
}
