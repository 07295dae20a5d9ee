// A blur of radius 4 whose workgroups read 72 values to make 64.
const GROUP = 64u;
override radius: u32 = 4u;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
var<workgroup> strip: array<f32, GROUP + 2u * radius>;

// Repeats the edge instead of leaving a hole, which would darken it.
fn clamped(i: i32) -> f32 {
  let last = i32(arrayLength(&input)) - 1;

  return input[clamp(i, 0, last)];
}

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) gid: vec3u,
        @builtin(num_workgroups) groups: vec3u) {
  let i = gid.y * groups.x * GROUP + gid.x;
  let base = i32(i - li) - i32(radius);

  // A stride of the workgroup's size: neighbouring invocations load neighbouring values.
  for (var k = li; k < GROUP + 2u * radius; k += GROUP) {
    strip[k] = clamped(base + i32(k));
  }
  workgroupBarrier();
  if (i < arrayLength(&input)) {
    var sum = 0.0;

    for (var d = 0u; d <= 2u * radius; d++) {
      sum += strip[li + d];
    }
    output[i] = sum / f32(2u * radius + 1u);
  }
}
