// Waits for workgroup memory that nobody writes any more.
var<workgroup> go: u32;
@group(0) @binding(0) var<storage, read_write> out: array<u32, 64>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
  while (workgroupUniformLoad(&go) == 0) {}
  out[lane] = 1;
}
