// The copy of malo without the detour through workgroup memory.
const GROUP = 64u;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(GROUP)
fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = gid.y * groups.x * GROUP + gid.x;

  if (i < arrayLength(&input)) {
    output[i] = input[i] * 2;
  }
}
