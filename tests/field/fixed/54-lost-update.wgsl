// An atomic addition.

@group(0) @binding(0) var<storage, read_write> dst: atomic<u32>;

@compute @workgroup_size(256)
fn main() {
  atomicAdd(&dst, 1u);
}
