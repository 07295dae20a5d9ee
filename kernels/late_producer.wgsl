// A producer that looks for a long time at a word that never changes before it sets the flag.
const GROUP = 64u;
override delay: u32 = 2000u;
override spin_limit: u32 = 0u;

@group(0) @binding(0) var<storage, read_write> ready: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> stop: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> seen: array<u32>;

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wid: vec3u) {
  var turns = 0u;

  if (li == 0) {
    if (wid.x == 0) {
      for (var k = 0u; k < delay; k++) {
        if (atomicLoad(&stop[0]) != 0) {
          break;
        }
      }
      atomicStore(&ready[0], 1);
    }
    while (atomicLoad(&ready[0]) == 0) {
      if (spin_limit != 0) {
        turns++;
        if (turns == spin_limit) {
          break;
        }
      }
    }
    seen[wid.x] = u32(spin_limit == 0 || turns < spin_limit);
  }
}
