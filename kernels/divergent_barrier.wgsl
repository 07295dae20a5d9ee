// Two halves of a workgroup that wait at two different barriers: not uniform, so WGSL refuses it.
const GROUP = 64u;

@group(0) @binding(0) var<storage, read_write> output: array<u32>;
var<workgroup> tile: array<u32, GROUP>;

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;

  tile[li] = i;
  if (li < GROUP / 2) {
    workgroupBarrier();
    output[i] = tile[li + GROUP / 2];
  } else {
    workgroupBarrier();
    output[i] = tile[li - GROUP / 2];
  }
}
