// A barrier of all workgroups that turns its sense round, three times.
@group(0) @binding(0) var<storage, read_write> arrived: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> sense: atomic<u32>;
fn meet(own: u32, all: u32) {
  if (atomicAdd(&arrived, 1) + 1 == all) {
    atomicStore(&arrived, 0);
    atomicStore(&sense, own);
  } else {
    while (atomicLoad(&sense) != own) {}
  }
}
@compute @workgroup_size(64) fn main(@builtin(num_workgroups) all: vec3u, @builtin(local_invocation_index) lane: u32) {
  var own = 0u;
  for (var round = 0; round < 3; round++) {
    own = 1 - own;
    workgroupBarrier();
    if (lane == 0) { meet(own, all.x); }
    workgroupBarrier();
  }
}
