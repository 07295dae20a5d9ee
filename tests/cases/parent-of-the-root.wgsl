// The parent of the root is held inside.
@group(0) @binding(0) var<storage, read> heap: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  let parent = (max(li, 1u) - 1u) / 2u;
#else
  let parent = (li - 1u) / 2u;
#endif
  dst[li] = heap[min(parent, 63u)];
}
