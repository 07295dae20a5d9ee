// An exchange whose result nobody takes is a store: which stays depends on who is last; the greatest does not.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> winner: atomic<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u) {
#ifdef FIXED
  if (src[g.x] % 16u == 0u) { atomicMax(&winner, g.x); }
#else
  if (src[g.x] % 16u == 0u) { atomicExchange(&winner, g.x); }
#endif
}
