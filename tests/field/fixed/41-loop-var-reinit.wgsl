// Nothing was wrong.

@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(1)
fn main() {
  for (var i = 0u; i < 4u; i++) {
    var acc: u32;
    acc += src[i];
    dst[i] = acc;
  }
}
