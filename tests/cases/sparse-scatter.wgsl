// Clean both ways: 64 values go to far-apart places that are known from a table; what lies between stays.
@group(0) @binding(0) var<storage, read> key: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  let at = (key[id.x] * 37u + 11u) % 1000u;
  dst[at] = id.x;
#else
  let k = key[id.x];
  dst[(k * k) % 997u] = id.x;
#endif
}
