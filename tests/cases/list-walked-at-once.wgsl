// Lists of fragments: made by exchange of the heads, and walked in the same dispatch.
struct Node { value: u32, next: u32 }
@group(0) @binding(0) var<storage, read_write> heads: array<atomic<u32>, 16>;
@group(0) @binding(1) var<storage, read_write> nodes: array<Node, 256>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32, 16>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let head = id.x % 16u;
  nodes[id.x].value = id.x + 1u;
  nodes[id.x].next = atomicExchange(&heads[head], id.x + 1u);
#ifndef FIXED
  if (id.x < 16u) {
    var at = atomicLoad(&heads[id.x]);
    var s = 0u;
    for (var k = 0u; at != 0u && k < 16u; k++) {
      s += nodes[at - 1u].value;
      at = nodes[at - 1u].next;
    }
    sums[id.x] = s;
  }
#endif
}
