// workgroupUniformLoad brings the barrier.

@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> base: u32;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wg: vec3u, @builtin(local_invocation_index) li: u32) {
  if (li == 0u) { base = src[wg.x]; }
  let b = workgroupUniformLoad(&base);
  dst[wg.x * 64u + li] = b + li;
}
