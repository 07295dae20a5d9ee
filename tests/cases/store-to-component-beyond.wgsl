// A dynamic component of a vector in workgroup memory.
@group(0) @binding(0) var<storage, read_write> dst: array<vec2u>;
var<workgroup> t: array<vec2u, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  t[li][li % 2u] = li;
#else
  t[li][li % 3u] = li;
#endif
  workgroupBarrier();
  dst[li] = t[63u - li];
}
