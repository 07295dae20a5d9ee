// Clean both ways: whoever gets a slot by compare-exchange alone stores its value beside it.
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read_write> slot: array<atomic<u32>, 256>;
@group(0) @binding(2) var<storage, read_write> value: array<u32, 256>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let key = keys[id.x] + 1u;
  var at = (key * 2654435761u) >> 24u;
  for (var k = 0u; k < 256u; k++) {
    let r = atomicCompareExchangeWeak(&slot[at], 0u, key);
    if (r.exchanged) { value[at] = id.x; break; }
    if (r.old_value != 0u) { at = (at + 1u) & 255u; }
  }
}
