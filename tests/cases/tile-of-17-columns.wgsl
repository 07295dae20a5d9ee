// A second index past its row, inside the whole array: WGSL counts each index for itself.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> t: array<array<u32, 16>, 16>;

@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_id) l: vec3u, @builtin(local_invocation_index) li: u32) {
  t[l.y][l.x] = src[li];
  workgroupBarrier();
#ifdef FIXED
  dst[li] = t[l.y][(l.x + 1u) % 16u];
#else
  dst[li] = t[l.y][l.x + 1u];
#endif
}
