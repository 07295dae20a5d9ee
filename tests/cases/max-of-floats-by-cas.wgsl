// Clean both ways: the greatest float does not depend on the order.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> top: atomic<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = src[id.x];
  var old = atomicLoad(&top);
  loop {
    let best = max(x, bitcast<f32>(old));
    let r = atomicCompareExchangeWeak(&top, old, bitcast<u32>(best));
    if (r.exchanged) { break; }
    old = r.old_value;
  }
}
