// Two halves of a buffer in turn need one barrier a step; one half alone needs two.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> s: array<u32, 128>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32) {
  var pin = 0u;
  s[li] = src[id.x];
  workgroupBarrier();
  for (var k = 1u; k < 64u; k <<= 1u) {
#ifdef FIXED
    let pout = 64u - pin;
#else
    let pout = pin;
#endif
    var v = s[pin + li];
    if (li >= k) { v += s[pin + li - k]; }
    s[pout + li] = v;
    pin = pout;
    workgroupBarrier();
  }
  dst[id.x] = s[pin + li];
}
