// Persistent workgroups that take numbers and put the two halves back, until all is done.
@group(0) @binding(0) var<storage, read_write> items: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> head: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> tail: atomic<u32>;
@group(0) @binding(3) var<storage, read_write> left: atomic<u32>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) {
  if (id.x == 0) {
    atomicStore(&items[atomicAdd(&tail, 1)], 16);
    atomicStore(&left, 32 + EXTRA);
  } else {
    while (atomicLoad(&left) == 0) {}
  }
  while (atomicLoad(&left) != 1) {
    let mine = atomicLoad(&head);
    if (mine == atomicLoad(&tail)) { continue; }
    if (!atomicCompareExchangeWeak(&head, mine, mine + 1).exchanged) { continue; }
    var item = atomicExchange(&items[mine], 0);
    while (item == 0) { item = atomicExchange(&items[mine], 0); }
    if (item > 1) {
      atomicStore(&items[atomicAdd(&tail, 1)], item / 2);
      atomicStore(&items[atomicAdd(&tail, 1)], item / 2);
    }
    atomicSub(&left, 1);
  }
}
