// Width and height mixed up in the number of workgroups.
override width = 64u;
override height = 24u;
@group(0) @binding(0) var<storage, read_write> image: array<u32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= width || id.y >= height) { return; }
  image[id.y * width + id.x] = id.x;
}
