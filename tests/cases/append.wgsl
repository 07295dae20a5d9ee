// Results appended in whatever order: any one is right, but the contents differ from run to run.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> count: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> list: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = src[id.x];
#ifdef FIXED
  if (x % 3u == 0u) { atomicAdd(&count, 1u); }
  list[id.x] = select(0u, x, x % 3u == 0u);
#else
  if (x % 3u == 0u) { list[atomicAdd(&count, 1u)] = x; }
#endif
}
