// Two workgroups that need the same two locks and take them in opposite order, with back-off.
const GROUP = 1u;
override backoff: u32 = 8u;
override skew: u32 = 0u;
override spin_limit: u32 = 0u;

@group(0) @binding(0) var<storage, read_write> lock: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> stop: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> passed: array<u32>;

@compute @workgroup_size(GROUP)
fn main(@builtin(workgroup_id) workgroup_id: vec3u) {
  let group = workgroup_id.x;
  let first = group % 2;
  let second = 1 - first;
  let turns = backoff + first * skew;
  var attempts = 0u;
  var has_both = false;

  while (!has_both) {
    if (atomicExchange(&lock[first], 1) == 0) {
      has_both = atomicExchange(&lock[second], 1) == 0;
      atomicStore(&lock[first], 0);
    }
    if (spin_limit != 0) {
      attempts++;
      if (attempts == spin_limit) {
        break;
      }
    }
    for (var k = 0u; k < turns && !has_both; k++) {
      if (atomicLoad(&stop[0]) != 0) {
        break;
      }
    }
  }
  if (has_both) {
    atomicStore(&lock[second], 0);
  }
  passed[group] = u32(has_both);
}
