// A lock of lanes, given back in the branch in which it was got: right in lockstep as well.
@group(0) @binding(0) var<storage, read_write> lock: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> sum: atomic<u32>;
@compute @workgroup_size(64) fn main() {
  var done = false;
  while (!done) {
    if (atomicExchange(&lock, 1) == 0) {
      atomicAdd(&sum, 1);
      atomicStore(&lock, 0);
      done = true;
    }
  }
}
