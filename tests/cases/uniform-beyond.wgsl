// A table of a uniform buffer that has fewer entries than there are kinds.
@group(0) @binding(0) var<uniform> table: array<vec4u, 4>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  dst[li] = table[li % 4u].x;
#else
  dst[li] = table[li % 5u].x;
#endif
}
