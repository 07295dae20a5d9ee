// Two tiles in turn, the last of them half full.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<array<f32, 64>, 2>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  let n = arrayLength(&src);
  var sum = 0.0;
  for (var base = 0u; base < n; base += 64u) {
    let t = (base / 64u) % 2u;
    if (base + li < n) { tile[t][li] = src[base + li]; }
#ifdef FIXED
    else { tile[t][li] = 0.0; }
#endif
    workgroupBarrier();
    for (var j = 0u; j < 64u; j++) { sum += tile[t][(j + li) % 64u]; }
    workgroupBarrier();
  }
  dst[li] = sum;
}
