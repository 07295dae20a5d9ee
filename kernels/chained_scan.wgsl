// A prefix sum in one dispatch: each block waits for the sum of the block before it.
const GROUP = 256u;
override by_ticket: u32 = 0u;
override spin_limit: u32 = 0u;

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
// Sum up to the end of a block, plus 1; 0: not known yet.
@group(0) @binding(2) var<storage, read_write> chain: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> next: array<atomic<u32>>;
var<workgroup> tile: array<u32, GROUP>;
var<workgroup> drawn: array<u32, 1>;
var<workgroup> before: array<u32, 1>;

// The sum of the values of invocations 0..li.
fn scan_tile(li: u32, value: u32) -> u32 {
  var sum = value;

  tile[li] = sum;
  workgroupBarrier();
  for (var reach = 1u; reach < GROUP; reach *= 2) {
    if (li >= reach) {
      sum += tile[li - reach];
    }
    workgroupBarrier();
    tile[li] = sum;
    workgroupBarrier();
  }
  return sum;
}

// What stands before a block: waits for the block in front of it.
fn sum_before(block: u32) -> u32 {
  var turns = 0u;
  var word = 1u;

  if (block > 0) {
    loop {
      word = atomicLoad(&chain[block - 1]);
      if (word != 0) {
        break;
      }
      if (spin_limit != 0) {
        turns++;
        if (turns == spin_limit) {
          break;
        }
      }
    }
  }
  return word - 1;
}

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wid: vec3u) {
  var value = 0u;

  if (li == 0) {
    var block = wid.x;

    if (by_ticket != 0) {
      block = atomicAdd(&next[0], 1);
    }
    drawn[0] = block;
  }
  let block = workgroupUniformLoad(&drawn[0]);
  let i = block * GROUP + li;

  if (i < arrayLength(&input)) {
    value = input[i];
  }
  let sum = scan_tile(li, value);
  if (li == GROUP - 1) {
    let prefix = sum_before(block);

    atomicStore(&chain[block], prefix + sum + 1);
    before[0] = prefix;
  }
  workgroupBarrier();
  if (i < arrayLength(&input)) {
    output[i] = sum + before[0];
  }
}
