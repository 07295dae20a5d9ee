// One step of a prefix sum: the dispatches double `reach` and exchange the buffers.
const GROUP = 256u;
override reach: u32 = 1u;

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(GROUP)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;

  if (i < arrayLength(&values)) {
    var sum = values[i];

    if (i >= reach) {
      sum += values[i - reach];
    }
    sums[i] = sum;
  }
}
