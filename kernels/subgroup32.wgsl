// A sum that takes a subgroup to be 32 invocations.
enable subgroups;

const GROUP = 64u;
const ASSUMED = 32u;

@group(0) @binding(0) var<storage, read_write> total: array<u32>;
var<workgroup> part: array<u32, GROUP / ASSUMED>;

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32) {
  let one = 1u;
  let sum = subgroupAdd(one);

  if (li % ASSUMED == 0) {
    part[li / ASSUMED] = sum;
  }
  workgroupBarrier();
  if (li == 0) {
    let first = part[0];

    total[0] = first + part[1];
  }
}
