// An array of its own for each component that is read alone.

@group(0) @binding(0) var<storage, read> src: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> x: array<f32, 32>;
var<workgroup> w: array<f32, 32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) li: u32) {
  x[li] = src[li].x;
  w[li] = src[li].w;
  workgroupBarrier();
  dst[li] = w[31u - li] + x[li ^ 1u];
}
