// Workgroups take their tiles from a counter until there are none: any order gives the same.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> next: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> dst: array<u32>;
var<workgroup> tile: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  loop {
    if (li == 0u) { tile = atomicAdd(&next, 1u); }
#ifdef FIXED
    let t = workgroupUniformLoad(&tile);
#else
    workgroupBarrier();
    let t = tile;
#endif
    if (t >= 16u) { break; }
    dst[t * 64u + li] = src[t * 64u + li] + 1u;
  }
}
