// Two dispatches: partial results, then their total.

@group(0) @binding(1) var<storage, read_write> part: array<u32>;
@group(0) @binding(2) var<storage, read_write> total: u32;

@compute @workgroup_size(64)
fn parts(@builtin(workgroup_id) wg: vec3u, @builtin(local_invocation_index) li: u32) {
  if (li == 0u) { part[wg.x] = wg.x + 1u; }
}

@compute @workgroup_size(1)
fn sum() {
  var s = 0u;
  for (var i = 0u; i < arrayLength(&part); i++) { s += part[i]; }
  total = s;
}
