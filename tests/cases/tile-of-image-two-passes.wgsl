// A separable blur: rows into a second tile, then columns of it.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> a: array<array<f32, 10>, 10>;
var<workgroup> b: array<array<f32, 8>, 10>;

fn pixel(x: i32, y: i32) -> f32 { return src[u32(clamp(y, 0, 31)) * 32u + u32(clamp(x, 0, 31))]; }

@compute @workgroup_size(8, 8)
fn main(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_id) l: vec3u, @builtin(local_invocation_index) li: u32) {
  let ox = i32(w.x * 8u) - 1;
  let oy = i32(w.y * 8u) - 1;
  for (var i = li; i < 100u; i += 64u) { a[i / 10u][i % 10u] = pixel(ox + i32(i % 10u), oy + i32(i / 10u)); }
  workgroupBarrier();
  for (var i = li; i < 80u; i += 64u) {
    let y = i / 8u;
    let x = i % 8u;
    b[y][x] = (a[y][x] + a[y][x + 1u] + a[y][x + 2u]) / 3.0;
  }
#ifdef FIXED
  workgroupBarrier();
#endif
  dst[(w.y * 8u + l.y) * 32u + w.x * 8u + l.x] = (b[l.y][l.x] + b[l.y + 1u][l.x] + b[l.y + 2u][l.x]) / 3.0;
}
