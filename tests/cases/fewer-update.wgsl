// Ever fewer invocations update their words, and everybody looks at all of them.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> words: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) id: vec3u) {
  words[li] = li;
  workgroupBarrier();
  var sum = words[63u - li];
  workgroupBarrier();
  for (var n = 64u; n > 1u; n /= 2u) {
    if (li < n) { words[li] = words[li] * 3u; }
#ifdef FIXED
    workgroupBarrier();
#endif
    sum += words[63u - li];
    workgroupBarrier();
  }
  dst[id.x] = sum;
}
