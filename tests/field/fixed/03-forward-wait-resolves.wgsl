// The consumer runs in a second dispatch.

@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn producers(@builtin(workgroup_id) wg: vec3u, @builtin(local_invocation_index) li: u32) {
  if (li == 0u) { dst[wg.x + 1u] = (wg.x + 1u) * 2u; }
}

@compute @workgroup_size(64)
fn consumer(@builtin(local_invocation_index) li: u32) {
  if (li == 0u) { dst[0] = 0u; }
}
