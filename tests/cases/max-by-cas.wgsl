// The largest float by compare-exchange, and by comparing plainly.
@group(0) @binding(0) var<storage, read> src: array<f32>;
#ifdef FIXED
@group(0) @binding(1) var<storage, read_write> most: atomic<u32>;
#else
@group(0) @binding(1) var<storage, read_write> most: f32;
#endif

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = src[id.x];
#ifdef FIXED
  var old = atomicLoad(&most);
  loop {
    if (bitcast<f32>(old) >= x) { break; }
    let result = atomicCompareExchangeWeak(&most, old, bitcast<u32>(x));
    if (result.exchanged) { break; }
    old = result.old_value;
  }
#else
  if (x > most) { most = x; }
#endif
}
