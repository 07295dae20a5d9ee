// The first invocation clears a counter that others of the dispatch may have used already.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> count: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u) {
#ifndef FIXED
  if (g.x == 0u) { atomicStore(&count, 0u); }
  storageBarrier();
#endif
  if (src[g.x] % 3u == 0u) {
    let at = atomicAdd(&count, 1u);
    if (at < 256u) { list[at] = src[g.x]; }
  }
}
