// Prefix sums of blocks of 256 in one dispatch: eight steps inside the workgroup.
const GROUP = 256u;

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> tile: array<u32, GROUP>;

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;
  var sum = 0u;

  if (i < arrayLength(&input)) {
    sum = input[i];
  }
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
  if (i < arrayLength(&input)) {
    output[i] = sum;
  }
}
