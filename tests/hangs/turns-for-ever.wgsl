// A loop without an access, an end or a way out.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  out[id.x] = id.x;
  while (true) {}
}
