// Decoupled look-back over blocks in the order of ids.
@group(0) @binding(0) var<storage, read_write> states: array<atomic<u32>>; // value * 4 + 1: aggregate, + 2: prefix
@group(0) @binding(1) var<storage, read_write> prefixes: array<u32>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) {
  let mine = id.x + 1;
  var sum = 0u;
  if (id.x > 0) {
    atomicStore(&states[id.x], mine * 4 + 1);
    var back = id.x - 1;
    loop {
      let state = atomicLoad(&states[back]);
      if ((state & 3) == 0) { continue; }
      sum += state >> 2;
      if ((state & 3) == 2) { break; }
      back -= 1;
    }
  }
  atomicStore(&states[id.x], (sum + mine) * 4 + 2);
  prefixes[id.x] = sum;
}
