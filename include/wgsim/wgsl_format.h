/* How textures and samplers lie in the buffers that are bound for them: what the host writes and
 * wgsl_texture.h reads. */
#ifndef WGSIM_WGSL_FORMAT_H
#define WGSIM_WGSL_FORMAT_H

#include <stdint.h>

enum wgsl_channel { WGSL_UNORM, WGSL_SNORM, WGSL_UINT, WGSL_SINT, WGSL_FLOAT };

/* At the start of a texture's buffer; the texels follow, level by level, layer by layer (or slice
 * by slice), row by row, without gaps. */
struct wgsl_texture {
    uint32_t size[3]; /* of level 0; the third is the depth of a 3-D texture, else the layers */
    uint32_t levels;
    uint32_t texel_bytes;
    uint8_t channel; /* enum wgsl_channel */
    uint8_t channels;
    uint8_t is_3d;
    uint8_t is_bgra; /* red and blue are swapped in memory */
    uint8_t bits[4]; /* of each channel, from the lowest of the texel */
    uint8_t is_depth;
    uint8_t unused[35];
};

enum wgsl_address { WGSL_CLAMP_TO_EDGE, WGSL_REPEAT, WGSL_MIRROR_REPEAT };

/* A sampler's buffer. */
struct wgsl_sampler {
    uint32_t linear, linear_between_levels;
    uint32_t address; /* enum wgsl_address */
    uint32_t unused[5];
};

#endif
