// Workers take what is on top of a stack; who takes which is not asked.
@group(0) @binding(0) var<storage, read_write> top: atomic<u32>;
@group(0) @binding(1) var<storage, read> stack: array<u32>;
@group(0) @binding(2) var<storage, read_write> taken: array<u32>;
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) w: vec3u) {
  loop {
    let t = atomicLoad(&top);
    if (t == 0u) { break; }
    if (atomicCompareExchangeWeak(&top, t, t - 1u).exchanged) { taken[stack[t]] = t; }
  }
}
