// Structs of three floats take 12 bytes each.

@group(0) @binding(0) var<storage, read_write> dst: array<f32>;
struct P { x: f32, y: f32, z: f32 }
var<workgroup> pts: array<P, 1024>;
var<workgroup> count: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  for (var k = li; k < 1024u; k += 64u) { pts[k] = P(f32(k), f32(k), f32(k)); }
  atomicAdd(&count, 1u);
  workgroupBarrier();
  dst[li] = pts[li * 16u].z + f32(atomicLoad(&count));
}
