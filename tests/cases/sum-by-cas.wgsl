// A sum of floats by compare-exchange; in whole numbers its order does not matter.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> sum: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  atomicAdd(&sum, u32(src[id.x]));
#else
  var old = atomicLoad(&sum);
  loop {
    let result = atomicCompareExchangeWeak(&sum, old, bitcast<u32>(bitcast<f32>(old) + src[id.x] * 0.1));
    if (result.exchanged) { break; }
    old = result.old_value;
  }
#endif
}
