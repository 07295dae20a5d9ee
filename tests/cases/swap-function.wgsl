// A function that swaps two words of a tile, called in the steps of a sort without a barrier.
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
var<workgroup> tile: array<u32, 64>;

fn order(i: u32, j: u32) {
  let a = tile[i];
  let b = tile[j];
  if (a > b) { tile[i] = b; tile[j] = a; }
}

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) li: u32) {
  tile[li] = data[li];
  tile[li + 32u] = data[li + 32u];
  workgroupBarrier();
  for (var k = 0u; k < 64u; k++) {
    order(2u * li, 2u * li + 1u);
#ifdef FIXED
    workgroupBarrier();
#endif
    if (li < 31u) { order(2u * li + 1u, 2u * li + 2u); }
#ifdef FIXED
    workgroupBarrier();
#endif
  }
  workgroupBarrier();
  data[li] = tile[li];
  data[li + 32u] = tile[li + 32u];
}
