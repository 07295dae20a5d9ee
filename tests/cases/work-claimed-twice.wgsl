// A flag looked at and then set: two invocations may find it free.
@group(0) @binding(0) var<storage, read_write> claimed: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> owner: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let cell = id.x % 16u;
#ifdef FIXED
  if (atomicExchange(&claimed[cell], 1u) == 0u) { atomicAdd(&owner[cell], 1u); }
#else
  if (atomicLoad(&claimed[cell]) == 0u) {
    atomicStore(&claimed[cell], 1u);
    atomicAdd(&owner[cell], 1u);
  }
#endif
}
