// A sum by one workgroup: 256 running sums, then a tree of eight steps.
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
  for (var reach = GROUP / 2; reach > 0; reach /= 2) {
    if (li < reach) {
      partial[li] = partial[li] + partial[li + reach];
    }
    workgroupBarrier();
  }
  if (li == 0) {
    total[0] = partial[0];
  }
}
