// A histogram that each workgroup first makes in its own memory, then adds to the common one.
const GROUP = 256u;
const BINS = 256u;

@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>>;
var<workgroup> local: array<atomic<u32>, BINS>;

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32, @builtin(global_invocation_id) gid: vec3u,
        @builtin(num_workgroups) groups: vec3u) {
  let step = groups.x * GROUP;

  atomicStore(&local[li], 0);
  workgroupBarrier();
  for (var i = gid.x; i < arrayLength(&words); i += step) {
    let bin = words[i] % BINS;

    atomicAdd(&local[bin], 1);
  }
  workgroupBarrier();

  let count = atomicLoad(&local[li]);

  atomicAdd(&bins[li], count);
}
