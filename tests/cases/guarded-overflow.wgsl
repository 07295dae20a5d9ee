// Clean both ways: an index below zero is not used, by a branch or by select.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

fn at(i: u32) -> u32 {
  if (i >= arrayLength(&src)) { return 0u; }
  return src[i];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  dst[id.x] = at(id.x - 1u) + at(id.x) + at(id.x + 1u);
#else
  let left = id.x - 1u;
  var sum = select(src[min(id.x - 1u, 99u)], 0u, id.x == 0u);
  if (left < 100u) { sum += src[left]; }
  if (id.x > 0u && id.x <= 100u) { sum += src[id.x - 1u]; }
  dst[id.x] = sum;
#endif
}
