// Loads that each wait for the one before; `bytes` decides how many workgroups are resident.
const GROUP = 64u;
override bytes: u32 = 16384u;
override loads: u32 = 16u;

@group(0) @binding(0) var<storage, read> next: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> tile: array<u32, bytes / 4u>;

@compute @workgroup_size(GROUP)
fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(local_invocation_index) li: u32) {
  let i = gid.x;
  var at = 0u;

  if (i < arrayLength(&next)) {
    at = i;
    for (var k = 0u; k < loads; k++) {
      at = next[at];
    }
  }
  tile[li] = at;
  workgroupBarrier();
  if (i < arrayLength(&next)) {
    output[i] = tile[GROUP - 1 - li];
  }
}
