// Message and flag in one word.

@group(0) @binding(0) var<storage, read_write> box: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) wg: vec3u) {
  if (wg.x == 0u) {
    atomicStore(&box, 42u * 2u + 1u);
  } else {
    let both = atomicLoad(&box);
    dst[0] = both & 1u;
    dst[1] = both / 2u;
  }
}
