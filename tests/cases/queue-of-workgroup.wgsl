// A frontier that grows from level to level; the count is read behind a barrier.
@group(0) @binding(0) var<storage, read> next: array<u32>;
@group(0) @binding(1) var<storage, read_write> depth: array<atomic<u32>>;
var<workgroup> queue: array<u32, 256>;
var<workgroup> tail: atomic<u32>;
var<workgroup> count: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  if (li == 0u) { queue[0] = 0u; atomicStore(&tail, 1u); atomicStore(&depth[0], 1u); }
  workgroupBarrier();
  var head = 0u;
  for (var level = 1u; level < 9u; level++) {
#ifdef FIXED
    if (li == 0u) { count = atomicLoad(&tail); }
    let end = workgroupUniformLoad(&count);
#else
    let end = atomicLoad(&tail);
#endif
    for (var i = head + li; i < end; i += 64u) {
      for (var s = 0u; s < 2u; s++) {
        let to = next[2u * queue[i] + s];
        if (atomicMax(&depth[to], 1000u - level) == 0u) { queue[atomicAdd(&tail, 1u)] = to; }
      }
    }
    head = end;
#ifdef FIXED
    workgroupBarrier();
#endif
  }
}
