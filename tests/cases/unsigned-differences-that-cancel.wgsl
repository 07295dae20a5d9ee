// Clean both ways: sides of a window as differences of unsigned words; what wraps comes back.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  let first = li - 8u;
  var s = 0u;
  for (var k = 0u; k < 17u; k++) {
    let i = first + k;
    if (i < 64u) { s += src[i]; }
  }
  let base = (li - 3u) * 4u;
  s += src[base + 12u];
  let row = li / 8u - 1u;
  s += src[(row + 1u) * 8u];
  let down = 0u - li;
  s += src[63u + down];
  var at = li;
  at -= 5u;
  at += 6u;
  s += src[at];
  dst[li] = s + src[(li ^ 0xffffffffu) + 64u];
}
