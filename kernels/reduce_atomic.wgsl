// A sum in one dispatch: the partial sums of the workgroups meet in an atomic.
const GROUP = 256u;

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>;
var<workgroup> partial: array<u32, GROUP>;

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) gid: vec3u,
        @builtin(num_workgroups) groups: vec3u) {
  let step = groups.x * GROUP;
  var value = 0u;

  for (var i = gid.x; i < arrayLength(&input); i += step) {
    value += input[i];
  }
  partial[li] = value;
  workgroupBarrier();
  for (var reach = GROUP / 2; reach > 0; reach /= 2) {
    if (li < reach) {
      partial[li] = partial[li] + partial[li + reach];
    }
    workgroupBarrier();
  }
  if (li == 0) {
    let sum = partial[0];

    atomicAdd(&total[0], sum);
  }
}
