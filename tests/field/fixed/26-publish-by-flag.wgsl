// The consumer runs in a second dispatch.

@group(0) @binding(1) var<storage, read_write> data: array<u32>;
@group(0) @binding(2) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(64)
fn producer(@builtin(local_invocation_index) li: u32) {
  data[li] = li + 1u;
}

@compute @workgroup_size(64)
fn consumer(@builtin(local_invocation_index) li: u32) {
  dst[li] = data[63u - li];
}
