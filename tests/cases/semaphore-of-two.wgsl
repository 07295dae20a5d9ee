// A semaphore is taken twice by each: two hold one part and wait for the other.
@group(0) @binding(0) var<storage, read_write> sem: array<atomic<u32>, 2>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32, 3>;

fn take(i: u32) { while (atomicExchange(&sem[i], 1u) != 0u) {} }

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) w: vec3u) {
#ifdef FIXED
  take(0u); take(1u);
#else
  take(w.x % 2u); for (var k = 0u; k < 100u; k++) { dst[w.x] = k; } take((w.x + 1u) % 2u);
#endif
  dst[w.x] = w.x;
  atomicStore(&sem[0], 0u);
  atomicStore(&sem[1], 0u);
}
