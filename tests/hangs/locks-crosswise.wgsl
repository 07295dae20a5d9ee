// The first takes a and then b, the second b and then a.
@group(0) @binding(0) var<storage, read_write> locks: array<atomic<u32>, 2>;
fn acquire(i: u32) { while (!atomicCompareExchangeWeak(&locks[i], 0, 1).exchanged) {} }
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) {
  let first = id.x & 1;
  acquire(first);
  acquire(1 - first);
  atomicStore(&locks[0], 0);
  atomicStore(&locks[1], 0);
}
