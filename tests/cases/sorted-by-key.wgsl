// A stable place in the output needs an order that atomics do not give: counting the ones before does.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> next: array<atomic<u32>, 4>;
var<workgroup> keys: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  keys[li] = src[li] % 4u;
  workgroupBarrier();
#ifdef FIXED
  var place = 0u;
  for (var i = 0u; i < 64u; i++) {
    if (keys[i] < keys[li] || (keys[i] == keys[li] && i < li)) { place++; }
  }
  dst[place] = src[li];
#else
  dst[keys[li] * 16u + atomicAdd(&next[keys[li]], 1u)] = src[li];
#endif
}
