// The array of a struct of an array: past its end lies the next member.
struct Node { count: u32, children: array<u32, 4> }
@group(0) @binding(0) var<storage, read_write> nodes: array<Node, 16>;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) li: u32) {
  nodes[li].count = 4u;
#ifdef FIXED
  for (var k = 0u; k < 4u; k++) { nodes[li].children[k] = k; }
#else
  for (var k = 1u; k <= 4u; k++) { nodes[li].children[k] = k; }
  nodes[li].children[0] = 0u;
#endif
}
