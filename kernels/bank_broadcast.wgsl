// Loads in which lanes share words, or words share a bank.
const LANES = 32u;
const WORDS = LANES * LANES;

@group(0) @binding(0) var<storage, read_write> output: array<u32>;
var<workgroup> tile: array<u32, WORDS>;

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) gid: vec3u) {
  var sum = 0u;

  for (var k = li; k < WORDS; k += LANES) {
    tile[k] = k;
  }
  workgroupBarrier();
  sum += tile[7];
  sum += tile[li / 2];
  sum += tile[li];
  sum += tile[li / 2 * LANES];
  sum += tile[li * LANES];
  output[gid.x] = sum;
}
