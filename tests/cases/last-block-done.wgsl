// The last workgroup to end adds up what the others left, behind a storageBarrier() that does not reach them.
@group(0) @binding(0) var<storage, read> src: array<u32>;
#ifdef FIXED
@group(0) @binding(1) var<storage, read_write> part: array<atomic<u32>>;
#else
@group(0) @binding(1) var<storage, read_write> part: array<u32>;
#endif
@group(0) @binding(2) var<storage, read_write> done: atomic<u32>;
@group(0) @binding(3) var<storage, read_write> total: u32;
var<workgroup> sum: atomic<u32>;
var<workgroup> last: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wg: vec3u,
        @builtin(num_workgroups) groups: vec3u) {
  atomicAdd(&sum, src[wg.x * 64u + li]);
  workgroupBarrier();
  if (li == 0u) {
#ifdef FIXED
    atomicStore(&part[wg.x], atomicLoad(&sum));
#else
    part[wg.x] = atomicLoad(&sum);
#endif
  }
  storageBarrier();
  if (li == 0u) { last = u32(atomicAdd(&done, 1u) == groups.x - 1u); }
  if (workgroupUniformLoad(&last) == 1u && li == 0u) {
    var all = 0u;
    for (var i = 0u; i < groups.x; i++) {
#ifdef FIXED
      all += atomicLoad(&part[i]);
#else
      all += part[i];
#endif
    }
    total = all;
  }
}
