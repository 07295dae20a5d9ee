// Sorting by exchange of neighbours: even pairs, then odd pairs.
@group(0) @binding(0) var<storage, read_write> data: array<u32, 128>;
var<workgroup> key: array<u32, 128>;
fn order(i: u32) {
  if (i + 1u < 128u && key[i] > key[i + 1u]) {
    let t = key[i];
    key[i] = key[i + 1u];
    key[i + 1u] = t;
  }
}
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  key[li] = data[li];
  key[li + 64u] = data[li + 64u];
  workgroupBarrier();
  for (var k = 0u; k < 64u; k++) {
    order(2u * li);
#ifdef FIXED
    workgroupBarrier();
#endif
    order(2u * li + 1u);
    workgroupBarrier();
  }
  data[li] = key[li];
  data[li + 64u] = key[li + 64u];
}
