// One atomic addition instead of a lock.

@group(0) @binding(1) var<storage, read_write> total: atomic<u32>;

@compute @workgroup_size(32)
fn main() {
  atomicAdd(&total, 1u);
}
