/* Textures of translated shaders: loads, stores and samples of what lies in buffers as
 * wgsl_format.h says.
 *
 * A texture or sampler is the number of its variable. A texel outside is not accessed, which is
 * told: it reads as zeros. */
#ifndef WGSIM_WGSL_TEXTURE_H
#define WGSIM_WGSL_TEXTURE_H

#include <wgsim/wgsl.h>
#include <wgsim/wgsl_format.h>

WGSL_FN const struct wgsl_texture *wgsl_texture(struct wg *wg, u32 texture) {
    return (const struct wgsl_texture *)(const void *)wg->ctx->vars[texture].data;
}

WGSL_FN vec3u wgsl_texture_size(struct wg *wg, u32 texture, u32 level) {
    const struct wgsl_texture *t = wgsl_texture(wg, texture);
    u32 shift = level < t->levels ? level : 0;
    u32 width = t->size[0] >> shift, height = t->size[1] >> shift, depth = t->size[2] >> shift;
    return (vec3u){width ? width : 1, height ? height : 1,
                   !t->is_3d ? t->size[2]
                   : depth   ? depth
                             : 1};
}

/* Byte offset of a texel, or WG_NOWHERE. */
WGSL_FN uint64_t wgsl_texel(struct wg *wg, u32 texture, vec3i at, u32 level) {
    const struct wgsl_texture *t = wgsl_texture(wg, texture);
    uint64_t texels = 0;
    if (level >= t->levels)
        return WG_NOWHERE;
    for (u32 l = 0; l < level; l++) {
        vec3u size = wgsl_texture_size(wg, texture, l);
        texels += (uint64_t)size[0] * size[1] * size[2];
    }
    vec3u size = wgsl_texture_size(wg, texture, level);
    for (int k = 0; k < 3; k++)
        if ((u32)at[k] >= size[k])
            return WG_NOWHERE;
    texels +=
        (uint64_t)(u32)at[0] + size[0] * ((uint64_t)(u32)at[1] + (uint64_t)size[1] * (u32)at[2]);
    return sizeof *t + texels * t->texel_bytes;
}

static __attribute__((noinline, cold, unused)) void wgsl_no_texel(struct wg_ctx *ctx,
                                                                  struct wg_lane *lane, u32 site,
                                                                  u32 texture, vec3i at,
                                                                  u32 level) {
    const i32 place[4] = {at[0], at[1], at[2], (i32)level};
    ctx->cur = lane;
    ctx->ops->no_texel(ctx, site, texture, place);
}

/* The texel's bits, zeros for one outside. wanted: the value is used. */
struct wgsl_texel_bits {
    u32 words[4];
};
WGSL_FN struct wgsl_texel_bits wgsl_texel_read(struct wg *wg, u32 site, u32 texture, vec3i at,
                                               u32 level, bool wanted) {
    struct wgsl_texel_bits bits = {{0}};
    uint64_t byte = wgsl_texel(wg, texture, at, level);
    if (byte != WG_NOWHERE)
        wg_read_(wg, site, texture, byte, (int64_t)byte, 1, &bits,
                 wgsl_texture(wg, texture)->texel_bytes);
    else if (wanted)
        wgsl_no_texel(wg->ctx, wg->lane, site, texture, at, level);
    return bits;
}
WGSL_FN u32 wgsl_channel_read(const struct wgsl_texture *t, const struct wgsl_texel_bits *bits,
                              int channel) {
    u32 first = 0;
    for (int k = 0; k < channel; k++)
        first += t->bits[k];
    u32 count = t->bits[channel], value = bits->words[first / 32] >> first % 32;
    return count < 32 ? value & ((1u << count) - 1) : value;
}

/* One channel as a number; those that the format does not have are 0, alpha 1. */
WGSL_FN f32 wgsl_channel_float(const struct wgsl_texture *t, const struct wgsl_texel_bits *bits,
                               int channel) {
    if (channel >= t->channels)
        return channel == 3 ? 1.0f : 0.0f;
    u32 value = wgsl_channel_read(t, bits, channel), count = t->bits[channel];
    switch (t->channel) {
    case WGSL_UNORM:
        return (f32)value / (f32)((1u << count) - 1);
    case WGSL_SNORM:
        return f32_max((f32)i32_extractBits((i32)value, 0, count) / (f32)((1u << (count - 1)) - 1),
                       -1.0f);
    default:
        return count == 16 ? f16_from_bits(value) : f32_bitcast_u32(value);
    }
}
WGSL_FN u32 wgsl_channel_integer(const struct wgsl_texture *t, const struct wgsl_texel_bits *bits,
                                 int channel) {
    if (channel >= t->channels)
        return channel == 3;
    u32 value = wgsl_channel_read(t, bits, channel);
    return t->channel == WGSL_SINT ? (u32)i32_extractBits((i32)value, 0, t->bits[channel]) : value;
}

/* textureLoad of the three kinds of channels. */
WGSL_FN vec4f vec4f_texture_load(struct wg *wg, u32 site, u32 texture, vec3i at, u32 level,
                                 bool wanted) {
    const struct wgsl_texture *t = wgsl_texture(wg, texture);
    struct wgsl_texel_bits bits = wgsl_texel_read(wg, site, texture, at, level, wanted);
    vec4f texel = {wgsl_channel_float(t, &bits, 0), wgsl_channel_float(t, &bits, 1),
                   wgsl_channel_float(t, &bits, 2), wgsl_channel_float(t, &bits, 3)};
    return t->is_bgra ? wgsl_swizzle4(texel, 2, 1, 0, 3) : texel;
}
WGSL_FN vec4u vec4u_texture_load(struct wg *wg, u32 site, u32 texture, vec3i at, u32 level,
                                 bool wanted) {
    const struct wgsl_texture *t = wgsl_texture(wg, texture);
    struct wgsl_texel_bits bits = wgsl_texel_read(wg, site, texture, at, level, wanted);
    return (vec4u){wgsl_channel_integer(t, &bits, 0), wgsl_channel_integer(t, &bits, 1),
                   wgsl_channel_integer(t, &bits, 2), wgsl_channel_integer(t, &bits, 3)};
}
WGSL_FN vec4i vec4i_texture_load(struct wg *wg, u32 site, u32 texture, vec3i at, u32 level,
                                 bool wanted) {
    return (vec4i)vec4u_texture_load(wg, site, texture, at, level, wanted);
}

/* ---- Stores ---- */

WGSL_FN void wgsl_channel_write(const struct wgsl_texture *t, struct wgsl_texel_bits *bits,
                                int channel, u32 value) {
    u32 first = 0;
    for (int k = 0; k < channel; k++)
        first += t->bits[k];
    u32 count = t->bits[channel], mask = count < 32 ? (1u << count) - 1 : ~0u;
    bits->words[first / 32] |= (value & mask) << first % 32;
}
WGSL_FN u32 wgsl_channel_of_float(const struct wgsl_texture *t, int channel, f32 value) {
    u32 count = t->bits[channel];
    switch (t->channel) {
    case WGSL_UNORM:
        return (u32)__builtin_rintf(f32_saturate(value) * (f32)((1u << count) - 1));
    case WGSL_SNORM:
        return (u32)(i32)__builtin_rintf(f32_clamp(value, -1.0f, 1.0f) *
                                         (f32)((1u << (count - 1)) - 1));
    default:
        return count == 16 ? f16_to_bits(value) : u32_bitcast_f32(value);
    }
}
/* Integers that do not fit become the nearest one that does. */
WGSL_FN u32 wgsl_channel_of_integer(const struct wgsl_texture *t, int channel, u32 value) {
    u32 count = t->bits[channel];
    if (count == 32)
        return value;
    if (t->channel == WGSL_UINT)
        return u32_min(value, (1u << count) - 1);
    i32 most = (i32)(1u << (count - 1)) - 1;
    return (u32)i32_clamp((i32)value, -most - 1, most);
}
WGSL_FN void wgsl_texel_write(struct wg *wg, u32 site, u32 texture, vec3i at,
                              const struct wgsl_texel_bits *bits) {
    uint64_t byte = wgsl_texel(wg, texture, at, 0);
    if (byte != WG_NOWHERE)
        wg_write_(wg, site, texture, byte, (int64_t)byte, 1, bits,
                  wgsl_texture(wg, texture)->texel_bytes);
    else
        wgsl_no_texel(wg->ctx, wg->lane, site, texture, at, 0);
}
WGSL_FN void vec4f_texture_store(struct wg *wg, u32 site, u32 texture, vec3i at, vec4f texel) {
    const struct wgsl_texture *t = wgsl_texture(wg, texture);
    struct wgsl_texel_bits bits = {{0}};
    texel = t->is_bgra ? wgsl_swizzle4(texel, 2, 1, 0, 3) : texel;
    for (int k = 0; k < t->channels; k++)
        wgsl_channel_write(t, &bits, k, wgsl_channel_of_float(t, k, texel[k]));
    wgsl_texel_write(wg, site, texture, at, &bits);
}
WGSL_FN void vec4u_texture_store(struct wg *wg, u32 site, u32 texture, vec3i at, vec4u texel) {
    const struct wgsl_texture *t = wgsl_texture(wg, texture);
    struct wgsl_texel_bits bits = {{0}};
    for (int k = 0; k < t->channels; k++)
        wgsl_channel_write(t, &bits, k, wgsl_channel_of_integer(t, k, texel[k]));
    wgsl_texel_write(wg, site, texture, at, &bits);
}
WGSL_FN void vec4i_texture_store(struct wg *wg, u32 site, u32 texture, vec3i at, vec4i texel) {
    vec4u_texture_store(wg, site, texture, at, (vec4u)texel);
}

/* ---- Samples ---- */

/* A texel's index on one axis after the sampler's rule for what lies outside. */
WGSL_FN i32 wgsl_address(u32 rule, i32 index, i32 size) {
    if (rule == WGSL_CLAMP_TO_EDGE)
        return i32_clamp(index, 0, size - 1);
    i32 period = rule == WGSL_REPEAT ? size : 2 * size, in = index % period;
    in = in < 0 ? in + period : in;
    return in < size ? in : 2 * size - 1 - in;
}
WGSL_FN vec4f wgsl_sample_level(struct wg *wg, u32 site, u32 texture, const struct wgsl_sampler *s,
                                vec3f at, vec3i offset, u32 level) {
    const struct wgsl_texture *t = wgsl_texture(wg, texture);
    vec3u size = wgsl_texture_size(wg, texture, level);
    int axes = t->is_3d ? 3 : t->size[1] > 1 ? 2 : 1;
    vec3i base = {0};
    vec3f part = {0};
    for (int k = 0; k < axes; k++) {
        f32 place = at[k] * (f32)size[k] - (s->linear ? 0.5f : 0.0f);
        base[k] = i32_from_f32(f32_floor(place)) + offset[k];
        part[k] = s->linear ? place - f32_floor(place) : 0.0f;
    }
    vec4f sum = {0};
    for (int corner = 0; corner < (s->linear ? 1 << axes : 1); corner++) {
        vec3i texel = {0, 0, t->is_3d ? 0 : i32_clamp(i32_from_f32(at[2]), 0, (i32)size[2] - 1)};
        f32 weight = 1.0f;
        for (int k = 0; k < axes; k++) {
            i32 next = corner >> k & 1;
            texel[k] = wgsl_address(s->address, base[k] + next, (i32)size[k]);
            weight *= next ? part[k] : 1.0f - part[k];
        }
        sum = sum + vec4f_splat(weight) * vec4f_texture_load(wg, site, texture, texel, level, true);
    }
    return sum;
}
/* textureSampleLevel; the third coordinate of a 2-D array is the layer. */
WGSL_FN vec4f wgsl_texture_sample(struct wg *wg, u32 site, u32 texture, u32 sampler, vec3f at,
                                  f32 level, vec3i offset) {
    const struct wgsl_sampler *s =
        (const struct wgsl_sampler *)(const void *)wg->ctx->vars[sampler].data;
    u32 last = wgsl_texture(wg, texture)->levels - 1;
    f32 in = f32_clamp(level, 0.0f, (f32)last);
    if (!s->linear_between_levels)
        return wgsl_sample_level(wg, site, texture, s, at, offset, (u32)f32_floor(in + 0.5f));
    u32 low = (u32)in;
    vec4f first = wgsl_sample_level(wg, site, texture, s, at, offset, low);
    if (in == (f32)low)
        return first;
    vec4f second = wgsl_sample_level(wg, site, texture, s, at, offset, low + 1);
    return vec4f_mix(first, second, vec4f_splat(in - (f32)low));
}

#endif
