// Clean both ways: a delay line of 64, read at places before the first.
@group(0) @binding(0) var<storage, read> line: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  var s = 0.0;
  for (var tap = 0u; tap < 8u; tap++) {
    let at = li - tap * 5u;
    s += line[at & 63u] + line[at % arrayLength(&line)];
  }
  dst[li] = s;
}
