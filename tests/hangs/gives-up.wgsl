// Looks a thousand times at most.
@group(0) @binding(0) var<storage, read_write> ready: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> missed: atomic<u32>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) all: vec3u) {
  if (id.x + 1 == all.x) { atomicStore(&ready, 1); return; }
  for (var i = 0; i < 1000; i++) { if (atomicLoad(&ready) == 1) { return; } }
  atomicAdd(&missed, 1);
}
