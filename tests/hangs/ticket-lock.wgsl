@group(0) @binding(0) var<storage, read_write> next: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> serving: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> sum: u32;
@compute @workgroup_size(1) fn main() {
  let mine = atomicAdd(&next, 1);
  while (atomicLoad(&serving) != mine) {}
  sum += 1;
  atomicAdd(&serving, 1);
}
