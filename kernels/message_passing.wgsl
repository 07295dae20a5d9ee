// One workgroup stores a message and then a flag, another loads the flag and then the message.
const MESSAGE = 0u;
const FLAG = 1u;

@group(0) @binding(0) var<storage, read_write> box: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> seen: array<u32>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) wid: vec3u) {
  if (wid.x == 0) {
    atomicStore(&box[MESSAGE], 42);
    atomicStore(&box[FLAG], 1);
  } else {
    let flag = atomicLoad(&box[FLAG]);
    let message = atomicLoad(&box[MESSAGE]);

    seen[MESSAGE] = message;
    seen[FLAG] = flag;
  }
}
