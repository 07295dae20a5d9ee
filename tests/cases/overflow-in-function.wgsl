// The place of an element is computed by a function.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
override pitch = 0x10000000u;

fn place(row: u32, column: u32) -> u32 {
#ifdef FIXED
  return row % 2u * 32u + column % 32u;
#else
  return row * pitch + column;
#endif
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) { dst[li] = src[place(li * 16u, li)]; }
