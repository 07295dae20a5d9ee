// Neighbouring members of a struct, stored to by two invocations; faulty, one of them stores all of it.
struct Particle { position: vec3f, mass: f32 }
@group(0) @binding(0) var<storage, read_write> particles: array<Particle>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  let p = li / 2u;
#ifdef FIXED
  if (li % 2u == 0u) { particles[p].position.x = f32(li); } else { particles[p].mass = 2.0; }
#else
  if (li % 2u == 0u) { particles[p] = Particle(vec3f(f32(li)), 1.0); } else { particles[p].mass = 2.0; }
#endif
  storageBarrier();
  dst[li] = particles[31u - p].mass;
}
