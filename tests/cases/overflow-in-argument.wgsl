// A function loads what it is told to.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
override pitch = 0x10000000u;

fn load(i: u32) -> u32 { return src[i]; }

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  dst[li] = load(li);
#else
  dst[li] = load((li * 16u) * pitch + li);
#endif
}
