// The greatest of all is used before all have been compared.
@group(0) @binding(0) var<storage, read> src: array<u32>;
#ifndef FIXED
@group(0) @binding(1) var<storage, read_write> top: atomic<u32>;
#endif
@group(0) @binding(2) var<storage, read_write> dst: array<u32>;
var<workgroup> m: atomic<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  var t = 0u;
  for (var i = 0u; i < 256u; i++) { t = max(t, src[i]); }
#else
  atomicMax(&m, src[g.x]);
  workgroupBarrier();
  if (li == 0u) { atomicMax(&top, atomicLoad(&m)); }
  storageBarrier();
  let t = atomicLoad(&top);
#endif
  dst[g.x] = t - src[g.x];
}
