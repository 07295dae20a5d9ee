// Operands are guarded.

@group(0) @binding(0) var<storage, read> s: array<i32>;
@group(0) @binding(1) var<storage, read> u: array<u32>;
@group(0) @binding(2) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(1)
fn main() {
  dst[0] = bitcast<u32>(select(s[0] / max(s[1], 1), 0, s[1] == 0));
  dst[1] = u[0] / max(u[1], 1u);
  dst[2] = 1u << (u[2] & 31u);
}
