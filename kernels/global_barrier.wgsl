// A barrier of all workgroups made of a counter.
const GROUP = 64u;
override spin_limit: u32 = 0u;

@group(0) @binding(0) var<storage, read_write> arrived: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> passed: array<u32>;

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wid: vec3u,
        @builtin(num_workgroups) groups: vec3u) {
  var turns = 0u;

  if (li == 0) {
    atomicAdd(&arrived[0], 1);
    while (atomicLoad(&arrived[0]) < groups.x) {
      if (spin_limit != 0) {
        turns++;
        if (turns == spin_limit) {
          break;
        }
      }
    }
    passed[wid.x] = u32(spin_limit == 0 || turns < spin_limit);
  }
  workgroupBarrier();
}
