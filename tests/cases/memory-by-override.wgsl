// Workgroup memory whose size is an override: a word too many.
@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
override n: u32;
var<workgroup> t: array<u32, n>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) { t[li] = li; workgroupBarrier(); dst[li] = t[63u - li]; }
