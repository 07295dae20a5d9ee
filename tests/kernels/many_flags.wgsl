// More pairs of places than are looked at in one run, all published by one flag; the last one by none.
@group(0) @binding(0) var<storage, read_write> flag: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> data: array<u32>;
@group(0) @binding(2) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wg: vec3u) {
  if (wg.x == 0u) {
    data[0u * 32u + li] = li;
    data[1u * 32u + li] = li;
    data[2u * 32u + li] = li;
    data[3u * 32u + li] = li;
    data[4u * 32u + li] = li;
    data[5u * 32u + li] = li;
    data[6u * 32u + li] = li;
    data[7u * 32u + li] = li;
    data[8u * 32u + li] = li;
    data[9u * 32u + li] = li;
    data[10u * 32u + li] = li;
    data[11u * 32u + li] = li;
    data[12u * 32u + li] = li;
    data[13u * 32u + li] = li;
    data[14u * 32u + li] = li;
    data[15u * 32u + li] = li;
    data[16u * 32u + li] = li;
    data[17u * 32u + li] = li;
    data[18u * 32u + li] = li;
    data[19u * 32u + li] = li;
    data[20u * 32u + li] = li;
    data[21u * 32u + li] = li;
    data[22u * 32u + li] = li;
    data[23u * 32u + li] = li;
    storageBarrier();
    if (li == 0u) { atomicStore(&flag, 1u); }
    data[24u * 32u + li] = li;
  } else {
    if (li == 0u) { while (atomicLoad(&flag) == 0u) {} }
    storageBarrier();
    dst[0u * 32u + li] = data[0u * 32u + li];
    dst[1u * 32u + li] = data[1u * 32u + li];
    dst[2u * 32u + li] = data[2u * 32u + li];
    dst[3u * 32u + li] = data[3u * 32u + li];
    dst[4u * 32u + li] = data[4u * 32u + li];
    dst[5u * 32u + li] = data[5u * 32u + li];
    dst[6u * 32u + li] = data[6u * 32u + li];
    dst[7u * 32u + li] = data[7u * 32u + li];
    dst[8u * 32u + li] = data[8u * 32u + li];
    dst[9u * 32u + li] = data[9u * 32u + li];
    dst[10u * 32u + li] = data[10u * 32u + li];
    dst[11u * 32u + li] = data[11u * 32u + li];
    dst[12u * 32u + li] = data[12u * 32u + li];
    dst[13u * 32u + li] = data[13u * 32u + li];
    dst[14u * 32u + li] = data[14u * 32u + li];
    dst[15u * 32u + li] = data[15u * 32u + li];
    dst[16u * 32u + li] = data[16u * 32u + li];
    dst[17u * 32u + li] = data[17u * 32u + li];
    dst[18u * 32u + li] = data[18u * 32u + li];
    dst[19u * 32u + li] = data[19u * 32u + li];
    dst[20u * 32u + li] = data[20u * 32u + li];
    dst[21u * 32u + li] = data[21u * 32u + li];
    dst[22u * 32u + li] = data[22u * 32u + li];
    dst[23u * 32u + li] = data[23u * 32u + li];
    dst[24u * 32u + li] = data[24u * 32u + li];
  }
}
