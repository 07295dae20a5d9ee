// ceil(100 / 64) workgroups.

@group(0) @binding(0) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x < arrayLength(&dst)) {
    dst[gid.x] = gid.x + 1u;
  }
}
