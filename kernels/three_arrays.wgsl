// Points in three arrays of f32: 12 bytes each, and every array is read contiguously.
const GROUP = 64u;
override points: u32 = 64u;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> y: array<f32>;
@group(0) @binding(2) var<storage, read> z: array<f32>;
@group(0) @binding(3) var<storage, read_write> output: array<f32>;
var<workgroup> point_x: array<f32, points>;
var<workgroup> point_y: array<f32, points>;
var<workgroup> point_z: array<f32, points>;

@compute @workgroup_size(GROUP)
fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(local_invocation_index) li: u32) {
  let i = gid.x;
  var here = vec3f();

  if (i < arrayLength(&x)) {
    here = vec3f(x[i], y[i], z[i]);
  }
  point_x[li] = here.x;
  point_y[li] = here.y;
  point_z[li] = here.z;
  workgroupBarrier();
  if (i < arrayLength(&x)) {
    let next = (li + 1) % GROUP;
    var product = here.x * point_x[next];

    product += here.y * point_y[next];
    product += here.z * point_z[next];
    output[i] = product;
  }
}
