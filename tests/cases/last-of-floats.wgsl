// The last of some floats that are nearly the same, or the largest of them. None are added.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> last: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> taken: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let own = bitcast<u32>(1.0 + src[id.x] * 1e-7);
#ifdef FIXED
  let there = atomicMax(&last, own);
#else
  let there = atomicExchange(&last, own);
#endif
  if (there != own) { atomicMax(&taken, 1u); }
}
