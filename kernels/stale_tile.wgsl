// A workgroup goes over its 100 values in tiles of 64 that are not cleared between the trips.
const GROUP = 64u;
const SHARE = 100u;
override clear: u32 = 0u;

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> at_start: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<atomic<u32>>;
var<workgroup> tile: array<u32, GROUP>;

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) group: vec3u) {
  let wid = group.x;
  let end = min((wid + 1) * SHARE, arrayLength(&input));
  var sum = 0u;

  at_start[wid * GROUP + li] = tile[li];
  workgroupBarrier();
  for (var base = wid * SHARE; base < end; base += GROUP) {
    if (clear != 0) {
      tile[li] = 0;
      workgroupBarrier();
    }
    if (base + li < end) {
      tile[li] = input[base + li];
    }
    workgroupBarrier();
    sum += tile[GROUP - 1 - li];
    workgroupBarrier();
  }
  atomicAdd(&sums[wid], sum);
}
