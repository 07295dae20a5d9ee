// All wait until a counter equals a number that it passes.
@group(0) @binding(0) var<storage, read_write> arrived: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32, 4>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) w: vec3u) {
  atomicAdd(&arrived, 2u);
#ifdef FIXED
  while (atomicLoad(&arrived) < 7u) {}
#else
  while (atomicLoad(&arrived) != 7u) {}
#endif
  dst[w.x] = w.x;
}
