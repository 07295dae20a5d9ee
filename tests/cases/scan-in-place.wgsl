// A Hillis-Steele scan with one barrier a step: in place it needs two, in two halves one will do.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
#ifdef FIXED
var<workgroup> part: array<u32, 128>;
#else
var<workgroup> part: array<u32, 64>;
#endif

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wg: vec3u) {
  var at = 0u;
  part[li] = src[wg.x * 64u + li];
  workgroupBarrier();
  for (var s = 1u; s < 64u; s *= 2u) {
#ifdef FIXED
    var sum = part[at + li];
    if (li >= s) { sum += part[at + li - s]; }
    at = 64u - at;
    part[at + li] = sum;
#else
    if (li >= s) { part[li] += part[li - s]; }
#endif
    workgroupBarrier();
  }
  dst[wg.x * 64u + li] = part[at + li];
}
