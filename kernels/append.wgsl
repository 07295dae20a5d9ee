// An append buffer: an atomic reserves a place for each value that is kept.
const GROUP = 64u;

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> count: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> kept: array<u32>;

@compute @workgroup_size(GROUP)
fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = gid.y * groups.x * GROUP + gid.x;

  if (i < arrayLength(&input)) {
    let value = input[i];

    if (value % 3 == 0) {
      let place = atomicAdd(&count[0], 1);

      kept[place] = value;
    }
  }
}
