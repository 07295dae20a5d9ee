// The neighbour sum without its barrier: a race.
const GROUP = 64u;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
var<workgroup> tile: array<f32, GROUP>;

@compute @workgroup_size(GROUP)
fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(local_invocation_index) li: u32,
        @builtin(num_workgroups) groups: vec3u) {
  let i = gid.y * groups.x * GROUP + gid.x;
  var value = 0.0;

  if (i < arrayLength(&input)) {
    value = input[i];
  }
  tile[li] = value;
  if (i < arrayLength(&input)) {
    output[i] = value + tile[(li + 1) % GROUP];
  }
}
