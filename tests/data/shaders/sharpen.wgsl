// Samples a texture at half its size and stores it with its channels turned around.
@group(0) @binding(0) var image : texture_2d<f32>;
@group(0) @binding(1) var smooth_sampler : sampler;
@group(0) @binding(2) var result : texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(3) var<storage, read_write> sizes : array<u32>;

fn turned(t : texture_2d<f32>, s : sampler, at : vec2f) -> vec4f {
    return textureSampleLevel(t, s, at, 0.0).wzyx;
}

@compute @workgroup_size(2, 2)
fn main(@builtin(global_invocation_id) id : vec3u) {
    let size = textureDimensions(result);
    let at = (vec2f(id.xy) + 0.5) / vec2f(size);
    textureStore(result, id.xy, turned(image, smooth_sampler, at));
    if (all(id.xy == vec2u(1, 1))) {
        sizes[0] = textureDimensions(image).x;
        sizes[1] = textureNumLevels(image);
        sizes[2] = u32(textureLoad(image, vec2i(1, 0), 0).g * 255.0 + 0.5);
        sizes[3] = u32(textureLoad(image, vec2i(-1, 0), 0).g);
    }
}
