// Workgroups that count in step all load the same number, and store the same one.
@group(0) @binding(0) var<storage, read_write> count: atomic<u32>;

@compute @workgroup_size(1)
fn main() {
#ifdef FIXED
  atomicAdd(&count, 1u);
#else
  atomicStore(&count, atomicLoad(&count) + 1u);
#endif
}
