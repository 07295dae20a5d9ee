// The least and the greatest value by atomics; range starts as the greatest and the least i32.
const GROUP = 64u;

@group(0) @binding(0) var<storage, read> input: array<i32>;
@group(0) @binding(1) var<storage, read_write> range: array<atomic<i32>>;
var<workgroup> local: array<atomic<i32>, 2>;

@compute @workgroup_size(GROUP)
fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(local_invocation_index) li: u32,
        @builtin(num_workgroups) groups: vec3u) {
  let i = gid.y * groups.x * GROUP + gid.x;

  if (li == 0) {
    atomicStore(&local[0], 2147483647);
    atomicStore(&local[1], -2147483648);
  }
  workgroupBarrier();
  if (i < arrayLength(&input)) {
    let value = input[i];

    atomicMin(&local[0], value);
    atomicMax(&local[1], value);
  }
  workgroupBarrier();
  if (li == 0) {
    let least = atomicLoad(&local[0]);
    let greatest = atomicLoad(&local[1]);

    atomicMin(&range[0], least);
    atomicMax(&range[1], greatest);
  }
}
