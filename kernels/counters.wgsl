// A thousand workgroups add to one counter; no addition is lost.
const GROUP = 64u;

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>;

@compute @workgroup_size(GROUP)
fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = gid.y * groups.x * GROUP + gid.x;

  if (i < arrayLength(&input)) {
    let value = input[i];

    atomicAdd(&total[0], value);
  }
}
