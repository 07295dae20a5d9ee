// A list is followed to its end, which a cycle does not have.
@group(0) @binding(0) var<storage, read> next: array<u32>;
@group(0) @binding(1) var<storage, read_write> length: u32;

@compute @workgroup_size(1)
fn main() {
  var n = 0u;
#ifdef FIXED
  for (var i = 0u; next[i] != 0u && n < arrayLength(&next); i = next[i]) { n++; }
#else
  for (var i = 0u; next[i] != 0u; i = next[i]) { n = (n + 1u) % 4096u; }
#endif
  length = n;
}
