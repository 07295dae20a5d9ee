// Blocks of keys pass through a tile: it is filled anew while some still read it.
@group(0) @binding(0) var<storage, read> query: array<f32>;
@group(0) @binding(1) var<storage, read> keys: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> dst: array<f32>;
var<workgroup> tile: array<vec4f, 16>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  let q = query[li];
  var top = -1e30;
  var sum = 0.0;
  var block = 0u;
  loop {
    if (block == 4u) { break; }
    if (li < 16u) { tile[li] = keys[block * 16u + li]; }
    workgroupBarrier();
    for (var k = 0u; k < 16u; k++) {
      let score = dot(tile[k], vec4f(q));
      let new_top = max(top, score);
      sum = sum * exp(top - new_top) + exp(score - new_top);
      top = new_top;
    }
    continuing {
#ifdef FIXED
      workgroupBarrier();
#endif
      block++;
    }
  }
  dst[li] = sum;
}
