// Workgroup memory by way of a pointer.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> tile: array<u32, 64>;

fn put(p: ptr<workgroup, array<u32, 64>>, i: u32, x: u32) { (*p)[i] = x; }
fn taken(p: ptr<workgroup, array<u32, 64>>, i: u32) -> u32 { return (*p)[i]; }

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  put(&tile, li, li + 1u);
#ifdef FIXED
  workgroupBarrier();
#endif
  dst[li] = taken(&tile, 63u - li);
}
