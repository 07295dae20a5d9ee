// A sum of integers, which has no order.

@group(0) @binding(0) var<storage, read_write> sum: atomic<u32>;

@compute @workgroup_size(64)
fn main() {
  atomicAdd(&sum, 1u);
}
