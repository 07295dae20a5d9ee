// A tree sum of one workgroup that copies its tile to a buffer after each step.
const GROUP = 32u;

@group(0) @binding(0) var<storage, read_write> snapshots: array<u32>;
var<workgroup> tile: array<u32, GROUP>;

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32) {
  var step = 0u;

  tile[li] = li;
  workgroupBarrier();
  for (var reach = GROUP / 2; reach > 0; reach /= 2) {
    if (li < reach) {
      tile[li] = tile[li] + tile[li + reach];
    }
    workgroupBarrier();

    let value = tile[li];

    snapshots[step * GROUP + li] = value;
    step++;
  }
}
