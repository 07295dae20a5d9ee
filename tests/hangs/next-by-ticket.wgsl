// Each takes a number when it starts, and waits for the one before.
@group(0) @binding(0) var<storage, read_write> taken: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> done: atomic<u32>;
@compute @workgroup_size(1) fn main() {
  let mine = atomicAdd(&taken, 1);
  while (atomicLoad(&done) < mine) {}
  atomicStore(&done, mine + 1);
}
