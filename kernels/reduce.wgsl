// A sum in two dispatches: partial sums of the workgroups, then the sum of them.
const GROUP = 256u;

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> total: array<u32>;
var<workgroup> partial: array<u32, GROUP>;

// Sequential addressing: the lower half adds the upper one, so no two lanes meet in a bank.
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
fn add_parts(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) gid: vec3u,
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
}

@compute @workgroup_size(GROUP)
fn add_sums(@builtin(local_invocation_index) li: u32) {
  var value = 0u;

  for (var i = li; i < arrayLength(&sums); i += GROUP) {
    value += sums[i];
  }
  add_tree(li, value);
  if (li == 0) {
    total[0] = partial[0];
  }
}
