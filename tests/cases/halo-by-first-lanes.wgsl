// The first lanes load the halo behind the barrier.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
var<workgroup> t: array<f32, 68>;

fn at(i: i32) -> f32 { return src[clamp(i, 0, 255)]; }

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32) {
  let i = i32(id.x);
  t[li + 2u] = at(i);
#ifndef FIXED
  workgroupBarrier();
#endif
  if (li < 2u) { t[li] = at(i - 2); t[li + 66u] = at(i + 64); }
#ifdef FIXED
  workgroupBarrier();
#endif
  dst[id.x] = t[li] + t[li + 1u] + t[li + 2u] + t[li + 3u] + t[li + 4u];
}
