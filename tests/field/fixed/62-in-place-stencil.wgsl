// Two buffers.

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;
  let l = a[max(i, 1u) - 1u];
  let r = a[min(i + 1u, 255u)];
  b[i] = l + a[i] + r;
}
