// The transposition of a square matrix by tiles that are read by columns.
override side: u32 = 128u;
override tile: u32 = 32u;
override rows: u32 = 8u;
override pad: u32 = 0u;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
var<workgroup> block: array<f32, tile * (tile + pad)>;

@compute @workgroup_size(tile, rows)
fn main(@builtin(local_invocation_id) lid: vec3u, @builtin(workgroup_id) wid: vec3u) {
  let width = tile + pad;

  for (var k = lid.y; k < tile; k += rows) {
    let x = wid.x * tile + lid.x;
    let y = wid.y * tile + k;

    if (x < side && y < side) {
      block[k * width + lid.x] = input[y * side + x];
    }
  }
  workgroupBarrier();
  for (var k = lid.y; k < tile; k += rows) {
    let x = wid.y * tile + lid.x;
    let y = wid.x * tile + k;

    if (x < side && y < side) {
      output[y * side + x] = block[lid.x * width + k];
    }
  }
}
