/* Contents of buffers. */
#include "sim/buffer_spec.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/error.h"
#include "sim/half.h"
#include "sim/read_file.h"
#include "sim/texture_spec.h"
#include "sim/units.h"

#define MAX_BYTES (UINT64_C(1) << 42)

/* -- types ------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    char letter;
    enum wg_scalar scalar;
} scalars[] = {
    {"u32", 'u', WG_U32}, {"i32", 'i', WG_I32}, {"f32", 'f', WG_F32}, {"f16", 'h', WG_F16}};

static int find_scalar(const char *name, size_t length, enum wg_scalar *scalar) {
    for (size_t k = 0; k < sizeof scalars / sizeof *scalars; k++) {
        bool whole = length == 3 && strncmp(name, scalars[k].name, 3) == 0;
        bool letter = length == 1 && name[0] == scalars[k].letter;
        if (whole || letter) {
            *scalar = scalars[k].scalar;
            return 0;
        }
    }
    return -1;
}

int buffer_type_parse(const char *text, struct buffer_type *type, struct wgsim_error *err) {
    size_t length = strlen(text);
    const char *inner = text;
    *type = (struct buffer_type){.components = 1};
    if (strncmp(text, "atomic<", 7) == 0 && text[length - 1] == '>') {
        inner = text + 7;
        length -= 8;
    } else if (strncmp(text, "vec", 3) == 0 && text[3] >= '2' && text[3] <= '4') {
        type->components = (uint32_t)(text[3] - '0');
        inner = text + 4;
        length -= 4;
        if (length > 2 && inner[0] == '<' && inner[length - 1] == '>') {
            inner++;
            length -= 2;
        }
    }
    if ((length == 1 && inner == text) || find_scalar(inner, length, &type->scalar))
        return error_set(
            err, "'%s' is not a type of buffer elements (u32, i32, f32, f16 or a vector of them)",
            text);
    return 0;
}

static uint64_t scalar_bytes(enum wg_scalar scalar) {
    return scalar == WG_F16 ? 2 : 4;
}

uint64_t buffer_type_stride(struct buffer_type type) {
    return scalar_bytes(type.scalar) * (type.components == 3 ? 4 : type.components);
}

/* -- parsing ----------------------------------------------------------------------------------- */

static const struct {
    const char *prefix;
    enum buffer_init init;
} inits[] = {{"zero:", BUFFER_ZERO},      {"iota:", BUFFER_IOTA}, {"random:", BUFFER_RANDOM},
             {"values:", BUFFER_VALUES},  {"file:", BUFFER_FILE}, {"texture:", BUFFER_TEXTURE},
             {"sampler:", BUFFER_SAMPLER}};

/* TYPE[N], and @seed where a seed makes sense. */
static int parse_count(struct arena *arena, const char *text, struct buffer_spec *spec,
                       struct wgsim_error *err) {
    const char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
    if (!close)
        return error_set(err, "'%s' is not a type and a number of elements, as in u32[64]", text);
    char *type = arena_printf(arena, "%.*s", (int)(open - text), text);
    char *count = arena_printf(arena, "%.*s", (int)(close - open - 1), open + 1);
    if (!type || !count)
        return error_set(err, "out of memory");
    if (buffer_type_parse(type, &spec->type, err) || parse_size(count, &spec->count, err))
        return -1;
    if (spec->count == 0 || spec->count > MAX_BYTES / buffer_type_stride(spec->type))
        return error_set(err, "a buffer of %llu elements cannot be made",
                         (unsigned long long)spec->count);
    if (close[1] == '@' && spec->init == BUFFER_RANDOM)
        return parse_u64(close + 2, &spec->seed, err);
    return close[1] ? error_set(err, "'%s' is left over after the number of elements", close + 1)
                    : 0;
}

static int parse_values(struct arena *arena, const char *text, struct buffer_spec *spec,
                        struct wgsim_error *err) {
    const char *colon = strchr(text, ':');
    if (!colon)
        return error_set(err, "'%s' is not a type and values, as in u32:1,2,3", text);
    char *type = arena_printf(arena, "%.*s", (int)(colon - text), text);
    spec->text = colon + 1;
    return type ? buffer_type_parse(type, &spec->type, err) : error_set(err, "out of memory");
}

int buffer_spec_parse_contents(struct arena *arena, const char *text, struct buffer_spec *spec,
                               struct wgsim_error *err) {
    for (size_t k = 0; k < sizeof inits / sizeof *inits; k++) {
        size_t length = strlen(inits[k].prefix);
        if (strncmp(text, inits[k].prefix, length))
            continue;
        spec->init = inits[k].init;
        spec->type = (struct buffer_type){WG_U32, 1};
        if (spec->init == BUFFER_VALUES)
            return parse_values(arena, text + length, spec, err);
        if (spec->init < BUFFER_VALUES)
            return parse_count(arena, text + length, spec, err);
        spec->text = text + length;
        return spec->text[0] ? 0 : error_set(err, "'%s' ends too soon", text);
    }
    return error_set(err,
                     "'%s' is not zero:TYPE[N], iota:TYPE[N], random:TYPE[N][@seed], "
                     "values:TYPE:v,..., file:PATH, "
                     "texture:FORMAT:WxH or sampler:FILTER",
                     text);
}

const char *buffer_spec_parse_binding(const char *text, uint32_t *group, uint32_t *binding) {
    char *end;
    unsigned long first, second;
    *group = 0;
    if (text[0] < '0' || text[0] > '9' || (first = strtoul(text, &end, 10)) > 65535)
        return NULL;
    *binding = (uint32_t)first;
    if (end[0] == ':' && end[1] >= '0' && end[1] <= '9') {
        if ((second = strtoul(end + 1, &end, 10)) > 65535)
            return NULL;
        *group = (uint32_t)first;
        *binding = (uint32_t)second;
    }
    return end;
}

int buffer_spec_parse(struct arena *arena, const char *text, struct buffer_spec *spec,
                      struct wgsim_error *err) {
    *spec = (struct buffer_spec){0};
    const char *rest = buffer_spec_parse_binding(text, &spec->group, &spec->binding);
    if (!rest || *rest != '=')
        return error_set(err, "'%s' is not a buffer, [GROUP:]BINDING=CONTENTS", text);
    return buffer_spec_parse_contents(arena, rest + 1, spec, err);
}

/* -- contents ---------------------------------------------------------------------------------- */

static void put_integer(enum wg_scalar scalar, uint32_t bits, void *out) {
    float f = scalar == WG_I32 ? (float)(int32_t)bits : (float)bits;
    uint16_t half = float_to_half(f);
    if (scalar == WG_F16)
        memcpy(out, &half, 2);
    else
        memcpy(out, scalar == WG_F32 ? (const void *)&f : &bits, 4);
}

int buffer_scalar_parse(const char *text, enum wg_scalar scalar, void *out,
                        struct wgsim_error *err) {
    char *end;
    if (scalar == WG_F32 || scalar == WG_F16) {
        float f = strtof(text, &end);
        uint16_t half = float_to_half(f);
        memcpy(out, scalar == WG_F16 ? (const void *)&half : &f, scalar_bytes(scalar));
    } else {
        errno = 0;
        long long value = strtoll(text, &end, 0);
        if (errno || value < (scalar == WG_I32 ? INT32_MIN : 0) ||
            value > (scalar == WG_I32 ? INT32_MAX : UINT32_MAX))
            return error_set(err, "'%s' does not fit %s", text, scalar == WG_I32 ? "i32" : "u32");
        put_integer(scalar, (uint32_t)value, out);
    }
    return end != text && !*end ? 0 : error_set(err, "'%s' is not a number", text);
}

/* The next number of splitmix64: one for each position, whatever the type. */
static uint32_t random_bits(uint64_t seed, uint64_t index) {
    uint64_t z = (seed + 1) * 0x9e3779b97f4a7c15u + index * 0xd1b54a32d192ed03u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}

static void put_random(enum wg_scalar scalar, uint32_t bits, void *out) {
    float f = (float)(bits >> 8) * 0x1p-24f;
    uint16_t half = float_to_half((float)(bits >> 21) * 0x1p-11f);
    if (scalar == WG_F16)
        memcpy(out, &half, 2);
    else
        memcpy(out, scalar == WG_F32 ? (const void *)&f : &bits, 4);
}

/* Where scalar number `index` of all lies. */
static uint8_t *scalar_at(uint8_t *data, struct buffer_type type, uint64_t index) {
    return data + index / type.components * buffer_type_stride(type) +
           index % type.components * scalar_bytes(type.scalar);
}

static int fill_values(const struct buffer_spec *spec, uint8_t *data, struct wgsim_error *err) {
    const char *text = spec->text;
    for (uint64_t k = 0; *text; k++) {
        char number[64];
        size_t length = strcspn(text, ",");
        snprintf(number, sizeof number, "%.*s", (int)length, text);
        if (length >= sizeof number)
            return error_set(err, "'%s...' is not a number", number);
        if (buffer_scalar_parse(number, spec->type.scalar, scalar_at(data, spec->type, k), err))
            return -1;
        text += length + (text[length] == ',');
    }
    return 0;
}

static uint64_t value_count(const char *text) {
    uint64_t count = *text != '\0';
    for (; *text; text++)
        count += *text == ',';
    return count;
}

/* The size of a regular file; of others only reading tells. */
static int measure_file(const char *path, uint64_t *bytes, struct wgsim_error *err) {
    struct stat info;
    if (stat(path, &info))
        return error_set(err, "cannot read %s: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return check_regular(path, &info, err);
    *bytes = S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
    return 0;
}

int buffer_spec_measure(struct buffer_spec *spec, uint64_t *bytes, struct wgsim_error *err) {
    *bytes = 0;
    if (spec->init == BUFFER_FILE)
        return measure_file(spec->text, bytes, err);
    if (spec->init == BUFFER_TEXTURE || spec->init == BUFFER_SAMPLER)
        return 0;
    if (spec->init == BUFFER_VALUES) {
        uint64_t values = value_count(spec->text);
        spec->count = values / spec->type.components;
        if (!values)
            return error_set(err, "there are no values");
        if (values % spec->type.components)
            return error_set(err, "%llu values are not whole elements of %u components",
                             (unsigned long long)values, spec->type.components);
    }
    *bytes = spec->count * buffer_type_stride(spec->type);
    return 0;
}

static uint8_t *fill_file(const char *path, uint64_t measured, uint64_t *bytes,
                          struct wgsim_error *err) {
    enum { UNMEASURED_BYTES = 256 << 20 };
    uint64_t limit = measured > UNMEASURED_BYTES ? measured : UNMEASURED_BYTES;
    return (uint8_t *)read_file(path, "a buffer", limit, bytes, err);
}

uint8_t *buffer_spec_fill(struct buffer_spec *spec, uint64_t *bytes, struct wgsim_error *err) {
    if (buffer_spec_measure(spec, bytes, err))
        return NULL;
    if (spec->init == BUFFER_FILE)
        return fill_file(spec->text, *bytes, bytes, err);
    if (spec->init == BUFFER_TEXTURE)
        return texture_spec_fill(spec->text, bytes, err);
    if (spec->init == BUFFER_SAMPLER)
        return sampler_spec_fill(spec->text, bytes, err);
    uint8_t *data = calloc(1, *bytes);
    if (!data) {
        error_format(err, "no memory for a buffer of %llu bytes", (unsigned long long)*bytes);
        return NULL;
    }
    if (spec->init == BUFFER_VALUES && fill_values(spec, data, err)) {
        free(data);
        return NULL;
    }
    uint64_t scalar_count = spec->count * spec->type.components;
    for (uint64_t k = 0; k < scalar_count && spec->init == BUFFER_IOTA; k++)
        put_integer(spec->type.scalar, (uint32_t)k, scalar_at(data, spec->type, k));
    for (uint64_t k = 0; k < scalar_count && spec->init == BUFFER_RANDOM; k++)
        put_random(spec->type.scalar, random_bits(spec->seed, k), scalar_at(data, spec->type, k));
    return data;
}
