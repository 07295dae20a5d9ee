// Two matrices of 32 x 32 words read by columns, one with a word of padding after each row.
const SIDE = 32u;

@group(0) @binding(0) var<storage, read_write> output: array<u32>;
var<workgroup> plain: array<u32, SIDE * SIDE>;
var<workgroup> padded: array<u32, SIDE * (SIDE + 1)>;

@compute @workgroup_size(SIDE)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) gid: vec3u) {
  var sum = 0u;

  for (var row = 0u; row < SIDE; row++) {
    plain[row * SIDE + li] = row;
    padded[row * (SIDE + 1) + li] = row;
  }
  workgroupBarrier();
  for (var column = 0u; column < SIDE; column++) {
    sum += plain[li * SIDE + column];
    sum += padded[li * (SIDE + 1) + column];
  }
  output[gid.x] = sum;
}
