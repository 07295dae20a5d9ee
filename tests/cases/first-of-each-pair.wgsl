// A segmented sum whose boundaries two invocations of different workgroups share.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  dst[id.x] = src[id.x];
#ifndef FIXED
  if (id.x + 1u < arrayLength(&dst)) { dst[id.x + 1u] = src[id.x] + 7u; }
#endif
}
