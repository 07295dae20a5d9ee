// Points in an array of vec3f: each takes 16 bytes of workgroup memory for 12 that are used.
const GROUP = 64u;
override points: u32 = 64u;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> y: array<f32>;
@group(0) @binding(2) var<storage, read> z: array<f32>;
@group(0) @binding(3) var<storage, read_write> output: array<f32>;
var<workgroup> point: array<vec3f, points>;

@compute @workgroup_size(GROUP)
fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(local_invocation_index) li: u32) {
  let i = gid.x;
  var here = vec3f();

  if (i < arrayLength(&x)) {
    here = vec3f(x[i], y[i], z[i]);
  }
  point[li] = here;
  workgroupBarrier();
  if (i < arrayLength(&x)) {
    let next = point[(li + 1) % GROUP];

    output[i] = here.x * next.x + here.y * next.y + here.z * next.z;
  }
}
