// Several edges find the same vertex and store the same level.
@group(0) @binding(0) var<storage, read> to: array<u32>;
#ifdef FIXED
@group(0) @binding(1) var<storage, read_write> level: array<atomic<u32>>;
#else
@group(0) @binding(1) var<storage, read_write> level: array<u32>;
#endif

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  atomicMax(&level[to[li] % 8u], 3u);
#else
  level[to[li] % 8u] = 3u;
#endif
}
