// A lock that workgroups take in the order in which they drew tickets.
const GROUP = 64u;
override spin_limit: u32 = 0u;

@group(0) @binding(0) var<storage, read_write> next: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> serving: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> total: array<u32>;

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32) {
  var turns = 0u;

  if (li == 0) {
    let ticket = atomicAdd(&next[0], 1);

    while (atomicLoad(&serving[0]) != ticket) {
      if (spin_limit != 0) {
        turns++;
        if (turns == spin_limit) {
          break;
        }
      }
    }
    if (spin_limit == 0 || turns < spin_limit) {
      let sum = total[0];

      total[0] = sum + 1;
      atomicStore(&serving[0], ticket + 1);
    }
  }
}
