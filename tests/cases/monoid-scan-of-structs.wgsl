// A scan of two sums at once; the last barrier of each step is missing.
struct Tag { paths: u32, segs: u32 }
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<Tag>;
var<workgroup> part: array<Tag, 64>;
fn joined(a: Tag, b: Tag) -> Tag { return Tag(a.paths + b.paths, a.segs + b.segs); }
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32) {
  var agg = Tag(src[id.x] & 1u, src[id.x] >> 1u);
  part[li] = agg;
  for (var i = 0u; i < 6u; i++) {
    workgroupBarrier();
    if (li >= (1u << i)) { agg = joined(part[li - (1u << i)], agg); }
#ifdef FIXED
    workgroupBarrier();
#endif
    part[li] = agg;
  }
  dst[id.x] = agg;
}
