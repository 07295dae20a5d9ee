// A helper adds to a slot through a pointer; two lanes have one slot.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> slot: array<u32, 64>;
fn add(p: ptr<workgroup, u32>, x: u32) { *p += x; }
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  add(&slot[li], src[li]);
#else
  add(&slot[li / 2u], src[li]);
#endif
  workgroupBarrier();
  dst[li] = slot[li / 2u];
}
