// 64 matrices of nine floats each, packed; a mat3x3f takes twelve.
#ifdef FIXED
@group(0) @binding(0) var<storage, read> m: array<f32>;
#else
@group(0) @binding(0) var<storage, read> m: array<mat3x3f>;
#endif
@group(0) @binding(1) var<storage, read> v: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> dst: array<vec4f>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  let k = id.x * 9u;
  let a = mat3x3f(m[k], m[k + 1u], m[k + 2u], m[k + 3u], m[k + 4u], m[k + 5u], m[k + 6u], m[k + 7u], m[k + 8u]);
#else
  let a = m[id.x];
#endif
  dst[id.x] = vec4f(a * v[id.x].xyz, 0.0);
}
