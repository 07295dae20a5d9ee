// All workgroups wait for each other by a counter, and read what their neighbours stored before.
@group(0) @binding(0) var<storage, read_write> arrived: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> a: array<u32, 256>;
@group(0) @binding(2) var<storage, read_write> b: array<u32, 256>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32) {
#ifdef FIXED
  b[id.x] = a[(id.x + 64u) % 256u] + 1u;
  if (li == 0u) { atomicAdd(&arrived, 1u); }
#else
  a[id.x] = a[id.x] * 2u;
  storageBarrier();
  if (li == 0u) {
    atomicAdd(&arrived, 1u);
    while (atomicLoad(&arrived) < 4u) {}
  }
  storageBarrier();
  b[id.x] = a[(id.x + 64u) % 256u] + 1u;
#endif
}
