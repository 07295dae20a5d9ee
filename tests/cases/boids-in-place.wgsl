// Each looks at all others and moves itself, in one buffer.
struct Boid { pos: vec2f, vel: vec2f }
@group(0) @binding(0) var<storage, read_write> boids: array<Boid, 64>;
@group(0) @binding(1) var<storage, read_write> next: array<Boid, 64>;
@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let me = boids[id.x];
  var centre = vec2f(0.0);
  for (var k = 0u; k < 64u; k++) {
    if (k != id.x) { centre += boids[k].pos; }
  }
  let vel = me.vel + (centre / 63.0 - me.pos) * 0.01;
#ifdef FIXED
  next[id.x] = Boid(me.pos + vel, vel);
#else
  boids[id.x].pos = me.pos + vel;
  boids[id.x].vel = vel;
  next[id.x] = me;
#endif
}
