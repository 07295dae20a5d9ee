/* Contents of textures and samplers. */
#include "sim/texture_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/units.h"
#include "wgsim/wgsl_format.h"

#define MAX_BYTES (UINT64_C(1) << 36)
#define MAX_SIZE 16384

/* -- formats ----------------------------------------------------------------------------------- */

struct format {
    const char *name;
    enum wgsl_channel channel;
    uint8_t channels, bits; /* of each channel; 0: 10, 10, 10 and 2 */
};

static const struct format formats[] = {
    {"r8unorm", WGSL_UNORM, 1, 8},       {"r8snorm", WGSL_SNORM, 1, 8},
    {"r8uint", WGSL_UINT, 1, 8},         {"r8sint", WGSL_SINT, 1, 8},
    {"rg8unorm", WGSL_UNORM, 2, 8},      {"rg8snorm", WGSL_SNORM, 2, 8},
    {"rg8uint", WGSL_UINT, 2, 8},        {"rg8sint", WGSL_SINT, 2, 8},
    {"rgba8unorm", WGSL_UNORM, 4, 8},    {"rgba8snorm", WGSL_SNORM, 4, 8},
    {"rgba8uint", WGSL_UINT, 4, 8},      {"rgba8sint", WGSL_SINT, 4, 8},
    {"bgra8unorm", WGSL_UNORM, 4, 8},    {"r16unorm", WGSL_UNORM, 1, 16},
    {"r16snorm", WGSL_SNORM, 1, 16},     {"r16uint", WGSL_UINT, 1, 16},
    {"r16sint", WGSL_SINT, 1, 16},       {"r16float", WGSL_FLOAT, 1, 16},
    {"rg16unorm", WGSL_UNORM, 2, 16},    {"rg16snorm", WGSL_SNORM, 2, 16},
    {"rg16uint", WGSL_UINT, 2, 16},      {"rg16sint", WGSL_SINT, 2, 16},
    {"rg16float", WGSL_FLOAT, 2, 16},    {"rgba16unorm", WGSL_UNORM, 4, 16},
    {"rgba16snorm", WGSL_SNORM, 4, 16},  {"rgba16uint", WGSL_UINT, 4, 16},
    {"rgba16sint", WGSL_SINT, 4, 16},    {"rgba16float", WGSL_FLOAT, 4, 16},
    {"r32uint", WGSL_UINT, 1, 32},       {"r32sint", WGSL_SINT, 1, 32},
    {"r32float", WGSL_FLOAT, 1, 32},     {"rg32uint", WGSL_UINT, 2, 32},
    {"rg32sint", WGSL_SINT, 2, 32},      {"rg32float", WGSL_FLOAT, 2, 32},
    {"rgba32uint", WGSL_UINT, 4, 32},    {"rgba32sint", WGSL_SINT, 4, 32},
    {"rgba32float", WGSL_FLOAT, 4, 32},  {"depth32float", WGSL_FLOAT, 1, 32},
    {"depth16unorm", WGSL_UNORM, 1, 16}, {"rgb10a2unorm", WGSL_UNORM, 4, 0},
    {"rgb10a2uint", WGSL_UINT, 4, 0},
};

static const struct format *find_format(const char *name, size_t length) {
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        if (strlen(formats[k].name) == length && memcmp(formats[k].name, name, length) == 0)
            return &formats[k];
    }
    return NULL;
}

static struct wgsl_texture header(const struct format *format, const uint32_t size[3]) {
    struct wgsl_texture texture = {.size = {size[0], size[1], size[2]},
                                   .levels = 1,
                                   .channel = (uint8_t)format->channel,
                                   .channels = format->channels,
                                   .is_bgra = strncmp(format->name, "bgra", 4) == 0,
                                   .is_depth = strncmp(format->name, "depth", 5) == 0};
    uint32_t bits = 0;
    for (uint8_t k = 0; k < format->channels; k++) {
        texture.bits[k] = format->bits ? format->bits : k < 3 ? 10 : 2;
        bits += texture.bits[k];
    }
    texture.texel_bytes = bits / 8;
    return texture;
}

/* A texture of zeros. */
static uint8_t *make(const struct format *format, const uint32_t size[3], uint64_t *bytes,
                     struct wgsim_error *err) {
    struct wgsl_texture texture = header(format, size);
    uint64_t texels = (uint64_t)size[0] * size[1];
    uint8_t *data = NULL;
    if (texels && size[2] && texels <= MAX_BYTES / 16 / size[2]) {
        *bytes = sizeof texture + (texels * size[2] * texture.texel_bytes + 3) / 4 * 4;
        data = calloc(1, *bytes);
    }
    if (data)
        memcpy(data, &texture, sizeof texture);
    else
        error_format(err, "a texture of %u x %u x %u texels cannot be made", size[0], size[1],
                     size[2]);
    return data;
}

/* -- contents ---------------------------------------------------------------------------------- */

static int read_texels(const char *path, uint8_t *texels, uint64_t count, struct wgsim_error *err) {
    FILE *file = fopen(path, "rb");
    bool whole = file && fread(texels, 1, count, file) == count && fgetc(file) == EOF;

    if (file)
        fclose(file);
    return whole ? 0
                 : error_set(err, "%s does not hold the %llu bytes of the texels, and no more",
                             path, (unsigned long long)count);
}

static int fill_random(const char *text, uint8_t *texels, uint64_t count, struct wgsim_error *err) {
    uint64_t state = 0;
    if (text[0] && (text[0] != '@' || parse_u64(text + 1, &state, err)))
        return text[0] == '@' ? -1 : error_set(err, "'random%s' is not random[@seed]", text);
    for (uint64_t k = 0; k < count; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        texels[k] = (uint8_t)(state >> 56);
    }
    return 0;
}

static int fill_texels(const char *text, uint8_t *texels, uint64_t count, struct wgsim_error *err) {
    if (strcmp(text, "zero") == 0)
        return 0;
    if (strncmp(text, "random", 6) == 0)
        return fill_random(text + 6, texels, count, err);
    if (strncmp(text, "file:", 5) == 0)
        return read_texels(text + 5, texels, count, err);
    return error_set(err, "'%s' is not zero, random[@seed] or file:PATH", text);
}

/* "64x32" or "64x32x4"; returns what follows, or NULL. */
static const char *parse_size_of(const char *text, uint32_t size[3]) {
    size[0] = size[1] = size[2] = 1;
    for (int k = 0; k < 3; k++) {
        char *end;
        unsigned long value = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
        if (value == 0 || value > MAX_SIZE)
            return NULL;
        size[k] = (uint32_t)value;
        text = end;
        if (*text != 'x')
            return *text == '\0' || *text == ':' ? text : NULL;
        text++;
    }
    return NULL;
}

uint8_t *texture_spec_fill(const char *text, uint64_t *bytes, struct wgsim_error *err) {
    uint32_t size[3];
    size_t length = strcspn(text, ":");
    const struct format *format = find_format(text, length);
    const char *rest = format && text[length] ? parse_size_of(text + length + 1, size) : NULL;
    if (!rest) {
        error_format(err, "'%s' is not a format and a size, as in rgba8unorm:64x32", text);
        return NULL;
    }
    uint8_t *data = make(format, size, bytes, err);
    if (data && *rest &&
        fill_texels(rest + 1, data + sizeof(struct wgsl_texture),
                    *bytes - sizeof(struct wgsl_texture), err)) {
        free(data);
        return NULL;
    }
    return data;
}

uint8_t *sampler_spec_fill(const char *text, uint64_t *bytes, struct wgsim_error *err) {
    static const char *const filters[] = {"nearest", "linear"}, *const addresses[] = {
                                                                    "clamp", "repeat", "mirror"};
    struct wgsl_sampler sampler = {0};
    size_t length = strcspn(text, ":");
    bool known = false, addressed = text[length] == '\0';
    for (uint32_t k = 0; k < 2; k++) {
        if (strlen(filters[k]) == length && memcmp(filters[k], text, length) == 0) {
            sampler.linear = sampler.linear_between_levels = k;
            known = true;
        }
    }
    for (uint32_t k = 0; k < 3; k++) {
        if (!addressed && strcmp(addresses[k], text + length + 1) == 0) {
            sampler.address = k;
            addressed = true;
        }
    }
    if (!known || !addressed) {
        error_format(err, "'%s' is not nearest or linear, then :clamp, :repeat, :mirror or nothing",
                     text);
        return NULL;
    }
    *bytes = sizeof sampler;
    uint8_t *data = malloc(*bytes);
    if (data)
        memcpy(data, &sampler, *bytes);
    else
        error_format(err, "out of memory");
    return data;
}

/* -- variables --------------------------------------------------------------------------------- */

/* A struct may be called texture_info, or sampler_state. */
bool texture_spec_is_texture(const char *type) {
    return strncmp(type, "texture_", 8) == 0 &&
           (strchr(type, '<') || strncmp(type, "texture_depth_", 14) == 0 ||
            strcmp(type, "texture_external") == 0);
}

bool texture_spec_is_sampler(const char *type) {
    return strcmp(type, "sampler") == 0 || strcmp(type, "sampler_comparison") == 0;
}

uint64_t texture_spec_start(const char *type) {
    return texture_spec_is_texture(type) ? sizeof(struct wgsl_texture) : 0;
}

uint64_t texture_spec_texel(const uint8_t *data, uint64_t byte) {
    struct wgsl_texture texture;
    memcpy(&texture, data, sizeof texture);
    return byte < sizeof texture ? 0 : (byte - sizeof texture) / texture.texel_bytes;
}

const char *texture_spec_place(const uint8_t *data, const char *type, uint64_t byte,
                               char text[TEXTURE_PLACE_LENGTH]) {
    struct wgsl_texture texture;
    memcpy(&texture, data, sizeof texture);
    uint64_t texel = texture_spec_texel(data, byte), width = texture.size[0],
             height = texture.size[1];
    unsigned long long x = texel % width, y = texel / width % height, z = texel / width / height;

    if (strstr(type, "_1d"))
        snprintf(text, TEXTURE_PLACE_LENGTH, "(%llu)", x);
    else if (strstr(type, "_3d"))
        snprintf(text, TEXTURE_PLACE_LENGTH, "(%llu, %llu, %llu)", x, y, z);
    else if (strstr(type, "_array") || strstr(type, "_cube"))
        snprintf(text, TEXTURE_PLACE_LENGTH, "(%llu, %llu), layer %llu", x, y, z);
    else
        snprintf(text, TEXTURE_PLACE_LENGTH, "(%llu, %llu)", x, y);
    return text;
}

/* The format that a storage texture's type names, one for the channels of another's. */
static const struct format *format_of(const char *type) {
    const char *inner = strchr(type, '<');
    if (strncmp(type, "texture_storage", 15) == 0 && inner)
        return find_format(inner + 1, strcspn(inner + 1, ",>"));
    const char *name = !inner            ? "depth32float"
                       : inner[1] == 'u' ? "rgba8uint"
                       : inner[1] == 'i' ? "rgba8sint"
                                         : "rgba8unorm";
    return find_format(name, strlen(name));
}

uint8_t *texture_spec_default(const char *type, const uint32_t size[3], uint64_t *bytes,
                              struct wgsim_error *err) {
    const struct format *format = format_of(type);
    bool flat = !strstr(type, "_3d") && !strstr(type, "_array");
    const uint32_t own[3] = {size[0], strstr(type, "_1d") ? 1 : size[1], flat ? 1 : size[2]};
    if (!format) {
        error_format(err, "textures of the format in %s are not simulated", type);
        return NULL;
    }
    uint8_t *data = make(format, own, bytes, err);
    if (data)
        texture_spec_fit(data, type);
    return data;
}

void texture_spec_fit(uint8_t *data, const char *type) {
    struct wgsl_texture texture;
    memcpy(&texture, data, sizeof texture);
    texture.is_3d = strstr(type, "_3d") != NULL;
    memcpy(data, &texture, sizeof texture);
}

/* -- whether they fit -------------------------------------------------------------------------- */

/* The format of a texture, or NULL. */
static const struct format *format_in(const struct wgsl_texture *texture) {
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        struct wgsl_texture same = header(&formats[k], texture->size);
        same.levels = texture->levels;
        same.is_3d = texture->is_3d;
        if (memcmp(&same, texture, sizeof same) == 0)
            return &formats[k];
    }
    return NULL;
}

/* Whether all texels lie in the bytes. */
static bool is_whole(const struct wgsl_texture *texture, uint64_t bytes) {
    uint64_t texels = 0;
    if (!texture->levels || texture->levels > 16)
        return false;
    for (int k = 0; k < 3; k++) {
        if (!texture->size[k] || texture->size[k] > MAX_SIZE)
            return false;
    }
    for (uint32_t level = 0; level < texture->levels; level++) {
        uint64_t product = 1;
        for (int k = 0; k < 3; k++) {
            uint32_t size = texture->size[k] >> (k < 2 || texture->is_3d ? level : 0);
            product *= size ? size : 1;
        }
        texels += product;
    }
    return texels <= (bytes - sizeof *texture) / texture->texel_bytes;
}

/* What formats a type takes that this one is not of; NULL: it takes it. */
static const char *other_formats(const char *type, const struct format *format) {
    const char *inner = strchr(type, '<');
    if (!inner)
        return strncmp(format->name, "depth", 5) == 0 ? NULL : "depth16unorm or depth32float";
    if (strncmp(type, "texture_storage", 15) == 0)
        return format_of(type) == format ? NULL : "its own format";
    if (inner[1] == 'u')
        return format->channel == WGSL_UINT ? NULL : "formats that end in uint";
    if (inner[1] == 'i')
        return format->channel == WGSL_SINT ? NULL : "formats that end in sint";
    return format->channel != WGSL_UINT && format->channel != WGSL_SINT
               ? NULL
               : "formats that end in unorm, snorm or float";
}

int texture_spec_check(const uint8_t *data, uint64_t bytes, const char *type,
                       struct wgsim_error *err) {
    struct wgsl_texture texture;
    if (bytes < sizeof texture)
        return error_set(err, "what is given is no texture");
    memcpy(&texture, data, sizeof texture);
    const struct format *format = format_in(&texture);
    if (!format || !is_whole(&texture, bytes))
        return error_set(err, "what is given is no texture");
    const char *others = other_formats(type, format);
    if (others)
        return error_set(err, "%s takes %s, not %s", type, others, format->name);
    if (texture.is_3d != (strstr(type, "_3d") != NULL))
        return error_set(err, "%s does not take a texture of %s dimensions", type,
                         texture.is_3d ? "three" : "two");
    if (texture.size[1] != 1 && strstr(type, "_1d"))
        return error_set(err, "%s takes a texture of 1 row, not %u", type, texture.size[1]);
    if (texture.size[2] != 1 && !texture.is_3d && !strstr(type, "_array"))
        return error_set(err, "%s takes a texture of 1 layer, not %u", type, texture.size[2]);
    return 0;
}
