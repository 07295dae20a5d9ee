// Atomics on one word, one lane that works for all, and stores far apart.
var<workgroup> most: atomic<u32>;
var<workgroup> last: atomic<u32>;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    atomicMax(&most, i);
    _ = atomicExchange(&last, i);
    workgroupBarrier();
    out[1024 + 32 * i] = i;
    if (i == 0) {
        for (var k = 0u; k < 200; k++) {
            out[k] = k;
        }
    }
}
