// A sum of floats by exchanges: out, add, in, and again with what somebody put there in between.
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> sum: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
#ifdef FIXED
  atomicAdd(&sum[0], u32(src[id.x]));
#elif WAY == 1
  var mine = src[id.x] * 0.1;
  loop {
    let there = bitcast<f32>(atomicExchange(&sum[0], 0u));
    let out = atomicExchange(&sum[0], bitcast<u32>(there + mine));
    if (out == 0u) { break; }
    mine = bitcast<f32>(out);
  }
#elif WAY == 2
  for (var mine = src[id.x] * 0.1; mine != 0.0;) {
    mine += bitcast<f32>(atomicExchange(&sum[0], 0u));
    mine = bitcast<f32>(atomicExchange(&sum[0], bitcast<u32>(mine)));
  }
#else
  var bits = bitcast<u32>(src[id.x] * 0.1);
  let memory = &sum[0];
  while (bits != 0u) {
    bits = atomicExchange(memory, bitcast<u32>(bitcast<f32>(atomicExchange(memory, 0u)) + bitcast<f32>(bits)));
  }
#endif
}
