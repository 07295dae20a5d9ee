// A histogram whose largest value has no bin.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, 16>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  atomicAdd(&bins[min(src[id.x] / 8u, 15u)], 1u);
#else
  atomicAdd(&bins[(src[id.x] + 7u) / 8u], 1u);
#endif
}
