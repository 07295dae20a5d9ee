// Rows of 2^28 words by a shift.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  dst[li] = src[(li << 1u) / 2u];
#else
  dst[li] = src[((li * 16u) << 28u) + li];
#endif
}
