// Kept values go to the front of the block, by a scan of the workgroup.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;
var<workgroup> s: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32, @builtin(workgroup_id) w: vec3u) {
  let v = src[id.x];
  let keep = u32(v % 3u == 0u);
  s[li] = keep;
  workgroupBarrier();
  for (var k = 1u; k < 64u; k *= 2u) {
    let add = select(0u, s[li - k], li >= k);
    workgroupBarrier();
    s[li] += add;
#ifdef FIXED
    workgroupBarrier();
#endif
  }
  workgroupBarrier();
  let total = s[63];
  let place = select(total + li - s[li], s[li] - 1u, keep == 1u);
  dst[w.x * 64u + place] = v;
  if (li == 0u) { counts[w.x] = total; }
}
