// A copy that stages each value in workgroup memory and reads it there once.
const GROUP = 64u;
override cache_words: u32 = 64u;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
var<workgroup> cache: array<f32, cache_words>;

@compute @workgroup_size(GROUP)
fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(local_invocation_index) li: u32,
        @builtin(num_workgroups) groups: vec3u) {
  let i = gid.y * groups.x * GROUP + gid.x;
  let inside = i < arrayLength(&input);

  if (inside) {
    cache[li] = input[i];
  }
  workgroupBarrier();
  if (inside) {
    output[i] = cache[li] * 2;
  }
}
