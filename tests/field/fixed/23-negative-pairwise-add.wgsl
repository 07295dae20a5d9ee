// Nothing was wrong.

@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> g: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  g[li] = li;
  workgroupBarrier();
  if ((li & 1u) == 0u) {
    let a = g[li];
    let b = g[li + 1u];
    g[li] = a + b;
  }
  workgroupBarrier();
  dst[li] = g[li];
}
