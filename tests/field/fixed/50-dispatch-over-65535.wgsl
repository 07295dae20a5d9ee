// Workgroups along y as well, the index folded.

@group(0) @binding(0) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(num_workgroups) n: vec3u) {
  let i = gid.y * n.x * 64u + gid.x;
  if (i < arrayLength(&dst)) { dst[i] = 1u; }
}
