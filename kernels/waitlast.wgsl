// Workgroup 0 alone waits for the flag that the last one sets.
const GROUP = 64u;
override spin_limit: u32 = 0u;

@group(0) @binding(0) var<storage, read_write> ready: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> seen: array<u32>;

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wid: vec3u,
        @builtin(num_workgroups) groups: vec3u) {
  let last = groups.x - 1;
  var turns = 0u;

  if (li == 0) {
    if (wid.x == last) {
      atomicStore(&ready[0], 1);
    }
    if (wid.x == 0) {
      while (atomicLoad(&ready[0]) == 0) {
        if (spin_limit != 0) {
          turns++;
          if (turns == spin_limit) {
            break;
          }
        }
      }
    }
    seen[wid.x] = u32(spin_limit == 0 || turns < spin_limit);
  }
}
