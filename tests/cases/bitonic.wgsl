// A bitonic sort in workgroup memory whose inner steps have no barrier.
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
var<workgroup> keys: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  keys[li] = data[li];
  workgroupBarrier();
  for (var k = 2u; k <= 64u; k *= 2u) {
    for (var j = k / 2u; j > 0u; j /= 2u) {
      let other = li ^ j;
      if (other > li) {
        let up = (li & k) == 0u;
        let x = keys[li];
        let y = keys[other];
        if ((x > y) == up) { keys[li] = y; keys[other] = x; }
      }
#ifdef FIXED
      workgroupBarrier();
#endif
    }
    workgroupBarrier();
  }
  data[li] = keys[li];
}
