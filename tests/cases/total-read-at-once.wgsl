// Every workgroup adds to a total and reads it: what it reads is not what all have added.
@group(0) @binding(0) var<storage, read> src: array<u32>;
#ifndef FIXED
@group(0) @binding(1) var<storage, read_write> total: atomic<u32>;
#endif
@group(0) @binding(2) var<storage, read_write> dst: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u) {
#ifdef FIXED
  var t = 0u;
  for (var i = 0u; i < 256u; i++) { t += src[i]; }
#else
  atomicAdd(&total, src[g.x]);
  storageBarrier();
  let t = atomicLoad(&total);
#endif
  dst[g.x] = f32(src[g.x]) / f32(t);
}
