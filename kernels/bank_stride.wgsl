// Loads of workgroup memory at a stride of words.
const GROUP = 256u;
const WORDS = 4096u;
override stride: u32 = 32u;
override loads: u32 = 32u;

@group(0) @binding(0) var<storage, read_write> output: array<u32>;
var<workgroup> tile: array<u32, WORDS>;

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) gid: vec3u) {
  let first = li * stride;
  var sum = 0u;

  for (var k = li; k < WORDS; k += GROUP) {
    tile[k] = k;
  }
  workgroupBarrier();
  for (var k = 0u; k < loads; k++) {
    sum += tile[(first + k) % WORDS];
  }
  output[gid.x] = sum;
}
