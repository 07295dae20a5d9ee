// A lock that every lane spins for.
const GROUP = 64u;
override spin_limit: u32 = 0u;

@group(0) @binding(0) var<storage, read_write> lock: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> total: array<u32>;

@compute @workgroup_size(GROUP)
fn main() {
  var turns = 0u;

  while (atomicExchange(&lock[0], 1) != 0) {
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
    atomicStore(&lock[0], 0);
  }
}
