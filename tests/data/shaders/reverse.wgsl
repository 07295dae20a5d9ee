// Reverses the elements of each workgroup through workgroup memory, and scales them.
@group(0) @binding(0) var<storage, read> input : array<u32>;
@group(0) @binding(1) var<storage, read_write> output : array<u32>;
@id(7) override scale : u32 = 2;
var<workgroup> tile : array<vec3f, 64>;

fn scaled(x : f32) -> u32 {
    return u32(x) * scale;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid : vec3u, @builtin(local_invocation_index) i : u32) {
    tile[i] = vec3f(f32(input[gid.x]));
    workgroupBarrier();
    output[gid.x] = scaled(tile[63 - i].x);
}
