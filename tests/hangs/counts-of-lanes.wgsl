// Ends when the counts of all lanes, with periods of 5, 7 and 11, come round at once.
enable subgroups;
diagnostic(off, subgroup_uniformity);
@group(0) @binding(0) var<storage, read_write> out: array<u32, 64>;
@compute @workgroup_size(32) fn main(@builtin(local_invocation_index) lane: u32) {
  let period = select(select(7u, 5u, (lane & 1) == 0), 11u, lane % 3 == 0);
  var at = 0u;
  loop {
    at = (at + 1) % period;
    if (subgroupAll(at + 1 == period)) { break; }
  }
  out[lane] = at;
}
