// What is kept is appended; there is room for 64.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> count: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> kept: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = src[id.x];
  if (x % 3u == 0u) {
    let at = atomicAdd(&count, 1u);
#ifdef FIXED
    if (at < arrayLength(&kept)) { kept[at] = x; }
#else
    kept[at] = x;
#endif
  }
}
