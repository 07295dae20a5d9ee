// Structs of three floats, without the gap of a vec3.

struct P { x: f32, y: f32, z: f32 }             // stride 12
@group(0) @binding(0) var<storage, read_write> dst: array<f32>;
var<workgroup> p: array<P, 32>;                 // 384 bytes
var<workgroup> x: array<f32, 32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) li: u32) {
  let f = f32(li);
  p[li] = P(f, f, f);
  x[li] = f;
  workgroupBarrier();
  let j = 31u - li;
  let b = p[j].x;
  let c = x[j];
  dst[li] = 2.0 * b + c;
}
