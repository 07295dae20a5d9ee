// The same over blocks in the order of starts.
@group(0) @binding(0) var<storage, read_write> states: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> prefixes: array<u32>;
@group(0) @binding(2) var<storage, read_write> tickets: atomic<u32>;
var<workgroup> ticket: u32;
@compute @workgroup_size(32) fn main(@builtin(local_invocation_index) lane: u32) {
  if (lane == 0) { ticket = atomicAdd(&tickets, 1); }
  let block = workgroupUniformLoad(&ticket);
  if (lane != 0) { return; }
  var sum = 0u;
  if (block > 0) {
    atomicStore(&states[block], (block + 1) * 4 + 1);
    var back = block - 1;
    loop {
      let state = atomicLoad(&states[back]);
      if ((state & 3) == 0) { continue; }
      sum += state >> 2;
      if ((state & 3) == 2) { break; }
      back -= 1;
    }
  }
  atomicStore(&states[block], (sum + block + 1) * 4 + 2);
  prefixes[block] = sum;
}
