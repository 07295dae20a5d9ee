// The inner loop has no end for one lane; the others have ended.
@group(0) @binding(0) var<storage, read_write> out: array<u32, 64>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
  for (var i = 0u; i < 3; i++) {
    var x = lane;
    while (x != 0 && x != 12) { x = (x * 5) % 64; if (x == lane && lane != 13) { break; } }
    out[lane] += x;
  }
}
