// select() evaluates both: what it does not take may be outside, what it takes may not.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> tile: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) id: vec3u) {
  var table = array<u32, 4>(1, 2, 3, 4);
#ifdef FIXED
  let inside = id.x > 0u;
#else
  let inside = id.x != 5u;
#endif
  tile[li] = select(0u, src[id.x - 1u], inside);
  workgroupBarrier();
  dst[id.x] = select(tile[li], tile[li + 32u] + table[li], li < 4u) + select(1u, src[id.x * 2u], id.x < 64u);
}
