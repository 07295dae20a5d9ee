// Four bones packed in a word; 255 stands for none.
@group(0) @binding(0) var<storage, read> packed: array<u32>;
@group(0) @binding(1) var<storage, read> bones: array<mat4x4f>;
@group(0) @binding(2) var<storage, read_write> dst: array<vec4f>;
@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) li: u32) {
  var p = vec4f(0.0);
  for (var k = 0u; k < 4u; k++) {
    let bone = (packed[li] >> (8u * k)) & 255u;
#ifdef FIXED
    if (bone == 255u) { continue; }
#endif
    p += bones[bone] * vec4f(1.0);
  }
  dst[li] = p;
}
