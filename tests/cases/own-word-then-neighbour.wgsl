// Everybody works on its own word for long, and then looks at the next one's.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> words: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) id: vec3u) {
  words[li] = li;
  workgroupBarrier();
  let mirrored = words[63u - li];
  workgroupBarrier();
  for (var i = 0u; i < 100u; i++) { words[li] = words[li] * 5u + 1u; }
#ifdef FIXED
  workgroupBarrier();
#endif
  dst[id.x] = words[(li + 1u) % 64u] + mirrored;
}
