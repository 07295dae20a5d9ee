// A stack of eight nodes for a tree of ten levels.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  var stack: array<u32, 16>;
#else
  var stack: array<u32, 8>;
#endif
  var top = 0u;
  var depth = li % 11u;
  while (depth > 0u) {
    stack[top] = depth;
    top++;
    depth--;
  }
  var s = 0u;
  while (top > 0u) {
    top--;
    s += stack[top];
  }
  dst[li] = s;
}
