// The one that gets the lock first does not give it back.
@group(0) @binding(0) var<storage, read_write> lock: atomic<i32>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) {
  while (!atomicCompareExchangeWeak(&lock, 0, -1 - i32(id.x)).exchanged) {}
  if (id.x == 0) { return; }
  atomicStore(&lock, 0);
}
