// The largest value of the workgroup, used before all have had their say.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> most: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) id: vec3u) {
  atomicMax(&most, src[id.x]);
#ifdef FIXED
  workgroupBarrier();
#endif
  dst[id.x] = src[id.x] * 100u / max(atomicLoad(&most), 1u);
}
