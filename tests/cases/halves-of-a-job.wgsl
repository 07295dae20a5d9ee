// Rounded down in both directions: the last columns and rows are never written.
override w = 100u;
@group(0) @binding(0) var<storage, read_write> image: array<u32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= w || id.y >= w) { return; }
  image[id.y * w + id.x] = 1u;
}
