// A histogram that is cleared by some invocations while others count already.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<atomic<u32>, 16>;
var<workgroup> bins: array<atomic<u32>, 16>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) id: vec3u) {
  if (li == 0u) { for (var i = 0u; i < 16u; i++) { atomicStore(&bins[i], 0u); } }
  if (id.x == 4294967295u) { atomicStore(&bins[0], 1u); }
  workgroupBarrier();
  for (var k = 0u; k < 2u; k++) {
    atomicAdd(&bins[src[id.x] % 16u], 1u);
    workgroupBarrier();
    if (li < 16u) { atomicAdd(&dst[li], atomicLoad(&bins[li])); }
#ifdef FIXED
    workgroupBarrier();
#endif
    if (li >= 48u) { atomicStore(&bins[li - 48u], 0u); }
    workgroupBarrier();
  }
}
