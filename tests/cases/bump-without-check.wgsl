// Segments are taken from a pool by an addition; the flag of failure comes behind the store.
struct Bump { failed: atomic<u32>, used: atomic<u32> }
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> bump: Bump;
@group(0) @binding(2) var<storage, read_write> pool: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let n = src[id.x] % 3u;
  let begin = atomicAdd(&bump.used, n);
#ifdef FIXED
  if (begin + n > arrayLength(&pool)) { atomicOr(&bump.failed, 1u); return; }
  for (var k = 0u; k < n; k++) { pool[begin + k] = id.x; }
#else
  for (var k = 0u; k < n; k++) { pool[begin + k] = id.x; }
  if (begin + n > arrayLength(&pool)) { atomicOr(&bump.failed, 1u); }
#endif
}
