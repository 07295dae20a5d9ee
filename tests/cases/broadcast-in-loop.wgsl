// A leader hands out a value in each turn; nothing keeps it from the next before all have read.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> value: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var acc = 0u;
  for (var k = 0u; k < 4u; k++) {
    if (li == 0u) { value = src[k]; }
#ifdef FIXED
    acc = acc * 3u + workgroupUniformLoad(&value);
#else
    workgroupBarrier();
    acc = acc * 3u + value;
#endif
  }
  dst[li] = acc + li;
}
