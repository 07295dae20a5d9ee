// Nobody waits for a predecessor.

@group(0) @binding(2) var<storage, read> src: array<u32>;
@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var prefix = 0u;
  for (var i = 0u; i < li; i++) { prefix += src[i]; }
  dst[li] = prefix;
}
