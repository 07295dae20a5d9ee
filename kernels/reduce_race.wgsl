// The two dispatches of reduce in one: workgroup 0 adds partial sums that may not be there yet.
const GROUP = 256u;

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> total: array<u32>;
var<workgroup> partial: array<u32, GROUP>;

fn add_tree(li: u32, value: u32) {
  partial[li] = value;
  workgroupBarrier();
  for (var reach = GROUP / 2; reach > 0; reach /= 2) {
    if (li < reach) {
      partial[li] = partial[li] + partial[li + reach];
    }
    workgroupBarrier();
  }
}

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) gid: vec3u,
        @builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let step = groups.x * GROUP;
  var value = 0u;

  for (var i = gid.x; i < arrayLength(&input); i += step) {
    value += input[i];
  }
  add_tree(li, value);
  if (li == 0) {
    sums[wid.x] = partial[0];
  }
  storageBarrier();
  if (wid.x == 0) {
    value = 0;
    for (var i = li; i < groups.x; i += GROUP) {
      value += sums[i];
    }
    add_tree(li, value);
    if (li == 0) {
      total[0] = partial[0];
    }
  }
}
