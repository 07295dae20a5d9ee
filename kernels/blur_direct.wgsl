// The blur without workgroup memory: every value is read nine times from storage.
const GROUP = 64u;
override radius: u32 = 4u;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

fn clamped(i: i32) -> f32 {
  let last = i32(arrayLength(&input)) - 1;

  return input[clamp(i, 0, last)];
}

@compute @workgroup_size(GROUP)
fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = gid.y * groups.x * GROUP + gid.x;

  if (i < arrayLength(&input)) {
    var sum = 0.0;

    for (var d = 0u; d <= 2u * radius; d++) {
      sum += clamped(i32(i + d) - i32(radius));
    }
    output[i] = sum / f32(2u * radius + 1u);
  }
}
