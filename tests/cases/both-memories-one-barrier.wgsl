// Index in workgroup memory, values in storage, one barrier for both.
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
var<workgroup> where_: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32, @builtin(workgroup_id) w: vec3u) {
  where_[li] = 63u - li;
  a[id.x] = id.x;
  workgroupBarrier();
#ifdef FIXED
  storageBarrier();
#endif
  let v = a[w.x * 64u + where_[li]];
  storageBarrier();
  a[id.x] = v;
}
