// At most two at a time.
@group(0) @binding(0) var<storage, read_write> places: atomic<i32>;
@group(0) @binding(1) var<storage, read_write> sum: atomic<u32>;
@compute @workgroup_size(1) fn main() {
  loop {
    let free = atomicLoad(&places);
    if (free > 0 && atomicCompareExchangeWeak(&places, free, free - 1).exchanged) { break; }
  }
  atomicAdd(&sum, 1);
  atomicAdd(&places, 1);
}
