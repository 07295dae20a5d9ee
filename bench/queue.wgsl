// Every workgroup waits for ever: what a queue of so many takes.
@group(0) @binding(0) var<storage, read_write> flag: atomic<u32>;

@compute @workgroup_size(256)
fn main() {
  while (atomicLoad(&flag) == 0u) {
  }
}
