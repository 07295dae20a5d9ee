// One lane looks and tells the others of its workgroup.
@group(0) @binding(0) var<storage, read_write> ready: atomic<u32>;
var<workgroup> seen: u32;
@compute @workgroup_size(64) fn main(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) all: vec3u,
                                     @builtin(local_invocation_index) lane: u32) {
  if (id.x + 1 == all.x && lane == 0) { atomicStore(&ready, 1); }
  loop {
    if (lane == 0) { seen = atomicLoad(&ready); }
    if (workgroupUniformLoad(&seen) == 1) { break; }
  }
}
