// The mean of all is taken off while other workgroups still add.
@group(0) @binding(0) var<storage, read_write> x: array<i32>;
@group(0) @binding(1) var<storage, read_write> sum: array<atomic<i32>, 2>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u) {
  atomicAdd(&sum[0], x[g.x]);
#ifndef FIXED
  workgroupBarrier();
  storageBarrier();
  x[g.x] -= atomicLoad(&sum[0]) / 256;
#endif
}
