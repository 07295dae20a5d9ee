// A prefix sum in three dispatches: blocks, sums of the blocks, addition of what stands before.
const GROUP = 256u;

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;
var<workgroup> tile: array<u32, GROUP>;

// The sum of the values of invocations 0..li; tile holds those of all.
fn scan_tile(li: u32, value: u32) -> u32 {
  var sum = value;

  tile[li] = sum;
  workgroupBarrier();
  for (var reach = 1u; reach < GROUP; reach *= 2) {
    if (li >= reach) {
      sum += tile[li - reach];
    }
    workgroupBarrier();
    tile[li] = sum;
    workgroupBarrier();
  }
  return sum;
}

@compute @workgroup_size(GROUP)
fn scan_blocks(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) gid: vec3u,
               @builtin(workgroup_id) wid: vec3u) {
  let i = gid.x;
  let n = arrayLength(&input);
  var value = 0u;

  if (i < n) {
    value = input[i];
  }
  let sum = scan_tile(li, value);
  if (i < n) {
    output[i] = sum;
  }
  if (li == GROUP - 1) {
    sums[wid.x] = sum;
  }
}

// Leaves in sums[k] what stands before block k.
@compute @workgroup_size(GROUP)
fn scan_sums(@builtin(local_invocation_index) li: u32) {
  var before = 0u;

  for (var base = 0u; base < arrayLength(&sums); base += GROUP) {
    let i = base + li;
    var value = 0u;

    if (i < arrayLength(&sums)) {
      value = sums[i];
    }
    let sum = scan_tile(li, value);
    if (i < arrayLength(&sums)) {
      sums[i] = before + sum - value;
    }
    before += tile[GROUP - 1];
    workgroupBarrier();
  }
}

@compute @workgroup_size(GROUP)
fn add_sums(@builtin(global_invocation_id) gid: vec3u, @builtin(workgroup_id) wid: vec3u) {
  let i = gid.x;

  if (i < arrayLength(&output)) {
    let sum = output[i];

    output[i] = sums[wid.x] + sum;
  }
}
