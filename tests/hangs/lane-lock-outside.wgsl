// The same, given back behind the loop: who got it waits there in lockstep for the others.
@group(0) @binding(0) var<storage, read_write> lock: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> sum: atomic<u32>;
@compute @workgroup_size(64) fn main() {
  while (atomicExchange(&lock, 1) != 0) {}
  atomicAdd(&sum, 1);
  atomicStore(&lock, 0);
}
