// Labels spread along edges, least first: once none changes they are the same in whatever order they
// did. Faulty, some are still set when others spread.
@group(0) @binding(0) var<storage, read> ends: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> label: array<atomic<u32>, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) id: vec3u) {
  let a = ends[2u * id.x] % 64u;
  let b = ends[2u * id.x + 1u] % 64u;
  atomicStore(&label[li], li);
#ifdef FIXED
  workgroupBarrier();
#endif
  for (var turn = 0u; turn < 64u; turn++) {
    atomicMin(&label[a], atomicLoad(&label[b]));
    atomicMin(&label[b], atomicLoad(&label[a]));
    workgroupBarrier();
  }
  dst[id.x] = atomicLoad(&label[li]);
}
