// More invocations than WebGPU allows in a workgroup.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
#ifdef FIXED
const size = 256;
#else
const size = 512;
#endif

@compute @workgroup_size(size)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&dst)) { dst[id.x] = id.x; }
}
