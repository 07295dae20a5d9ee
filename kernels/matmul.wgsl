// A matrix product by tiles of 16 x 16.
const TILE = 16u;
override rows: u32 = 64u;
override inner: u32 = 64u;
override columns: u32 = 64u;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
var<workgroup> tile_a: array<array<f32, TILE>, TILE>;
var<workgroup> tile_b: array<array<f32, TILE>, TILE>;

// Elements outside count as zero.
fn element_of_a(row: u32, column: u32) -> f32 {
  var value = 0.0;

  if (row < rows && column < inner) {
    value = a[row * inner + column];
  }
  return value;
}
fn element_of_b(row: u32, column: u32) -> f32 {
  var value = 0.0;

  if (row < inner && column < columns) {
    value = b[row * columns + column];
  }
  return value;
}

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(local_invocation_id) lid: vec3u, @builtin(global_invocation_id) gid: vec3u) {
  var sum = 0.0;

  for (var base = 0u; base < inner; base += TILE) {
    tile_a[lid.y][lid.x] = element_of_a(gid.y, base + lid.x);
    tile_b[lid.y][lid.x] = element_of_b(base + lid.y, gid.x);
    workgroupBarrier();
    for (var k = 0u; k < TILE; k++) {
      sum += tile_a[lid.y][k] * tile_b[k][lid.x];
    }
    workgroupBarrier();
  }
  if (gid.y < rows && gid.x < columns) {
    c[gid.y * columns + gid.x] = sum;
  }
}
