// One subgroup follows a chain of words, in workgroup memory and in storage.
const WORDS = 32u;
override steps: u32 = 256u;

@group(0) @binding(0) var<storage, read> next: array<u32>;
@group(0) @binding(1) var<storage, read_write> reached: array<u32>;
var<workgroup> ring: array<u32, WORDS>;

@compute @workgroup_size(WORDS)
fn in_workgroup(@builtin(local_invocation_index) li: u32) {
  var at = 0u;

  ring[li] = next[li];
  workgroupBarrier();
  for (var k = 0u; k < steps; k++) {
    at = ring[at];
    workgroupBarrier();
  }
  reached[li] = at;
}

@compute @workgroup_size(WORDS)
fn in_storage(@builtin(local_invocation_index) li: u32) {
  var at = 0u;

  for (var k = 0u; k < steps; k++) {
    at = next[at];
    workgroupBarrier();
  }
  reached[WORDS + li] = at;
}
