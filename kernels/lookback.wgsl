// A prefix sum in one dispatch that waits for nobody: look-back with fallback.
const GROUP = 256u;
const UNKNOWN = 0u;
const AGGREGATE = 1u;
const PREFIX = 2u;
override polls: u32 = 4u;

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
// Sum times 4, plus AGGREGATE (of the block) or PREFIX (up to it).
@group(0) @binding(2) var<storage, read_write> state: array<atomic<u32>>;
var<workgroup> tile: array<u32, GROUP>;
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

// The state of a block that may not have started: computed here where nobody has left it.
fn state_of(block: u32) -> u32 {
  let end = min((block + 1) * GROUP, arrayLength(&input));
  var word = UNKNOWN;
  var sum = 0u;

  for (var k = 0u; word == UNKNOWN && k < polls; k++) {
    word = atomicLoad(&state[block]);
  }
  if (word == UNKNOWN) {
    for (var i = block * GROUP; i < end; i++) {
      sum += input[i];
    }
    word = sum * 4 + AGGREGATE;
  }
  return word;
}

// What stands before a block.
fn look_back(block: u32) -> u32 {
  var sum = 0u;

  for (var k = block; k > 0; k--) {
    let word = state_of(k - 1);

    sum += word / 4;
    if (word % 4 == PREFIX) {
      break;
    }
  }
  return sum;
}

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wid: vec3u) {
  let block = wid.x;
  let i = block * GROUP + li;
  var value = 0u;

  if (i < arrayLength(&input)) {
    value = input[i];
  }
  let sum = scan_tile(li, value);
  if (li == GROUP - 1) {
    atomicStore(&state[block], sum * 4 + AGGREGATE);

    let prefix = look_back(block);

    atomicStore(&state[block], (prefix + sum) * 4 + PREFIX);
    before[0] = prefix;
  }
  workgroupBarrier();
  if (i < arrayLength(&input)) {
    output[i] = sum + before[0];
  }
}
