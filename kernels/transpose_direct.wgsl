// The transposition without a tile: each lane of a subgroup writes to a row of its own.
const TILE = 16u;
override side: u32 = 128u;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x < side && gid.y < side) {
    output[gid.x * side + gid.y] = input[gid.y * side + gid.x];
  }
}
