// A flag says that a list was full: whoever sets it, it is set. Which are listed is not asked here.
struct Bump { n: atomic<u32>, failed: atomic<u32> }
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> bump: Bump;
@group(0) @binding(2) var<storage, read_write> dst: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u) {
  if (src[g.x] % 20u == 0u) {
    let at = atomicAdd(&bump.n, 1u);
    if (at < 8u) { dst[at] = src[g.x]; } else { atomicStore(&bump.failed, 1u); }
  }
}
