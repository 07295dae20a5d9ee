// All workgroups look at a flag that one of them sets: who sees it depends on the order.
@group(0) @binding(0) var<storage, read_write> stop: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  if (id.x == 100u) { atomicStore(&stop, 1u); }
  dst[id.x] = 1u;
#else
  if (id.x == 100u) { atomicStore(&stop, 1u); }
  if (atomicLoad(&stop) == 0u) { dst[id.x] = 1u; }
#endif
}
