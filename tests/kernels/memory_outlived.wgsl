// What a dispatch leaves in workgroup memory is gone in the next.
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> keep: array<u32, 64>;
@compute @workgroup_size(64)
fn first(@builtin(local_invocation_index) li: u32) { keep[li] = src[li] * 2u; }
@compute @workgroup_size(64)
fn second(@builtin(local_invocation_index) li: u32) { dst[li] = keep[li]; }
