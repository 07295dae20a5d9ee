// Neighbouring halves of a word: two invocations may store to them.
enable f16;
@group(0) @binding(0) var<storage, read_write> dst: array<f16>;
var<workgroup> tile: array<f16, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  tile[li] = f16(li);
#ifdef FIXED
  workgroupBarrier();
#endif
  dst[li] = tile[li ^ 1u];
}
