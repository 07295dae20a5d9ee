// A histogram by atomics in storage: one a word.
const GROUP = 256u;
const BINS = 256u;

@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>>;

@compute @workgroup_size(GROUP)
fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let step = groups.x * GROUP;

  for (var i = gid.x; i < arrayLength(&words); i += step) {
    let bin = words[i] % BINS;

    atomicAdd(&bins[bin], 1);
  }
}
