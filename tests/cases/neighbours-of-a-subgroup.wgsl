// Invocations read what their neighbour stored; in pairs, and of their own word alone.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> tile: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  tile[li] = li * 5u;
#ifdef FIXED
  tile[li] += 1u;
  let mine = tile[li];
  workgroupBarrier();
  dst[li] = mine + tile[li ^ 1u];
#else
  dst[li] = tile[li ^ 1u];
#endif
}
