// workgroupUniformLoad() of a variable that every invocation has stored to.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> any: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  if (li == 5u) { any = src[li]; }
#else
  any = src[li];
#endif
  let all = workgroupUniformLoad(&any);
  dst[li] = all + src[li];
}
