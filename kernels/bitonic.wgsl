// One step of a bitonic sort; the dispatches set `block` and `mirrored`.
const GROUP = 256u;
override block: u32 = 2u;
override mirrored: u32 = 1u;

@group(0) @binding(0) var<storage, read_write> values: array<u32>;

// Invocation i compares one pair: the two halves of a block hold the two of each pair.
@compute @workgroup_size(GROUP)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;
  let half = block / 2;
  let base = i / half * block;
  let k = i % half;
  let low = base + k;
  let high = select(low + half, base + block - 1 - k, mirrored != 0);

  if (high < arrayLength(&values)) {
    let a = values[low];
    let b = values[high];

    if (a > b) {
      values[low] = b;
      values[high] = a;
    }
  }
}
