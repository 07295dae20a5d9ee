// The success of a compare-exchange is judged by the value as a float: a NaN equals nothing.
@group(0) @binding(0) var<storage, read_write> sum: atomic<u32>;

@compute @workgroup_size(32)
fn main() {
  var old = atomicLoad(&sum);
  loop {
    let r = atomicCompareExchangeWeak(&sum, old, old);
#ifdef FIXED
    if (r.exchanged) { break; }
#else
    if (bitcast<f32>(r.old_value) == bitcast<f32>(old)) { break; }
#endif
    old = r.old_value;
  }
}
