// One stores a whole vector while its neighbour reads a component of it.
@group(0) @binding(0) var<storage, read_write> dst: array<f32>;
var<workgroup> v: array<vec4f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  v[li] = vec4f(f32(li));
#ifdef FIXED
  workgroupBarrier();
#endif
  dst[li] = v[li ^ 1u].w;
}
