// Waits until half of all have come.
@group(0) @binding(0) var<storage, read_write> came: atomic<u32>;
@compute @workgroup_size(32) fn main(@builtin(num_workgroups) all: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (lane > 0) { return; }
  atomicAdd(&came, 1);
  while (atomicLoad(&came) < all.x / 2) {}
}
