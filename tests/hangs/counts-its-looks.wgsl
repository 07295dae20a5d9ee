// No state comes back: the looks are counted. Nobody does what it waits for.
@group(0) @binding(0) var<storage, read_write> ready: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> looks: array<u32, 4>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) {
  var count = 0u;
  while (atomicLoad(&ready) == 0) { count++; }
  looks[id.x] = count;
}
