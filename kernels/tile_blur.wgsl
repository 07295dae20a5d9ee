// A 3 x 3 blur of an image in a storage buffer: a workgroup stages 10 x 10 pixels to make 8 x 8.
const TILE = 8u;
const HALO = TILE + 2u;
override width: u32 = 64u;

@group(0) @binding(0) var<storage, read> image: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> blurred: array<vec4f>;
var<workgroup> tile: array<array<vec4f, HALO>, HALO>;

// The pixel at x, y; one outside is the nearest inside.
fn pixel(x: i32, y: i32, row_width: i32, count: i32) -> u32 {
  let column = clamp(x, 0, row_width - 1);
  let row = clamp(y, 0, (count - 1) / row_width);

  return u32(min(row * row_width + column, count - 1));
}

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(local_invocation_id) lid: vec3u, @builtin(local_invocation_index) li: u32,
        @builtin(global_invocation_id) gid: vec3u, @builtin(workgroup_id) wid: vec3u) {
  let count = i32(arrayLength(&image));
  let left = i32(wid.x * TILE) - 1;
  let top = i32(wid.y * TILE) - 1;

  for (var k = li; k < HALO * HALO; k += TILE * TILE) {
    let x = k % HALO;
    let y = k / HALO;

    tile[y][x] = image[pixel(left + i32(x), top + i32(y), i32(width), count)];
  }
  workgroupBarrier();
  let i = gid.y * width + gid.x;

  if (gid.x < width && i < arrayLength(&image)) {
    var sum = vec4f();

    for (var k = 0u; k < 9; k++) {
      sum += tile[lid.y + k / 3][lid.x + k % 3];
    }
    blurred[i] = sum / 9;
  }
}
