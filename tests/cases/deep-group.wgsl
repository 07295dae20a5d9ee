// More invocations along z than WebGPU allows.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
#ifdef FIXED
const z = 64;
#else
const z = 128;
#endif

@compute @workgroup_size(1, 1, z)
fn main(@builtin(global_invocation_id) id: vec3u) { dst[id.z] = id.z; }
