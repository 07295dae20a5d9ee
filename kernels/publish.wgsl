// Workgroups in pairs: the first writes data and sets a flag, the second waits and reads the data.
const GROUP = 64u;
override spin_limit: u32 = 0u;

@group(0) @binding(0) var<storage, read_write> ready: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> data: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;

@compute @workgroup_size(GROUP)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wid: vec3u) {
  let pair = wid.x / 2;
  var turns = 0u;

  if (wid.x % 2 == 0) {
    data[pair * GROUP + li] = li + 1;
    storageBarrier();
    if (li == 0) {
      atomicStore(&ready[pair], 1);
    }
  } else {
    if (li == 0) {
      while (atomicLoad(&ready[pair]) == 0) {
        if (spin_limit != 0) {
          turns++;
          if (turns == spin_limit) {
            break;
          }
        }
      }
    }
    storageBarrier();
    output[pair * GROUP + li] = data[pair * GROUP + li];
  }
}
