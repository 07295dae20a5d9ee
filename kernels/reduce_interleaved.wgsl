// A sum by the tree of one workgroup with interleaved addressing.
const GROUP = 256u;

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> total: array<u32>;
var<workgroup> partial: array<u32, GROUP>;

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32) {
  var value = 0u;

  for (var i = li; i < arrayLength(&input); i += GROUP) {
    value += input[i];
  }
  partial[li] = value;
  workgroupBarrier();
  for (var reach = 1u; reach < GROUP; reach *= 2) {
    let at = 2 * reach * li;

    if (at < GROUP) {
      partial[at] = partial[at] + partial[at + reach];
    }
    workgroupBarrier();
  }
  if (li == 0) {
    total[0] = partial[0];
  }
}
