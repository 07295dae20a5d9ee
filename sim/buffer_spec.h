/* Contents of buffers as users write them: "zero:u32[64]", "values:f32:1,2.5", "file:input.bin". */
#ifndef SIM_BUFFER_SPEC_H
#define SIM_BUFFER_SPEC_H

#include "sim/arena.h"
#include "wgsim/kernel.h"
#include "wgsim/wgsim.h"

/* Type of the elements: a scalar or a vector of scalars. */
struct buffer_type {
    enum wg_scalar scalar; /* WG_U32, WG_I32, WG_F32 or WG_F16 */
    uint32_t components;   /* 1 to 4 */
};

enum buffer_init {
    BUFFER_ZERO,
    BUFFER_IOTA,
    BUFFER_RANDOM,
    BUFFER_VALUES,
    BUFFER_FILE,
    BUFFER_TEXTURE,
    BUFFER_SAMPLER
};

/* Texts are borrowed or live in the arena that it was parsed with. */
struct buffer_spec {
    uint32_t group, binding;
    enum buffer_init init;
    struct buffer_type type;
    uint64_t count; /* elements; set by buffer_spec_measure for values */
    uint64_t seed;
    const char *text; /* the values, the path, or what describes the texture or sampler */
};

/* "u32", "vec3f", "vec4<f16>", "atomic<u32>". */
int buffer_type_parse(const char *text, struct buffer_type *type, struct wgsim_error *err);
/* Bytes from one element of an array to the next: 16 for a vec3 of words. */
uint64_t buffer_type_stride(struct buffer_type type);

/* Points into `text`, which must stay. The part after "B=": zero:TYPE[N], iota:TYPE[N],
 * random:TYPE[N][@seed], values:TYPE:v,v,..., file:PATH, texture:FORMAT:WxH[xD][:CONTENTS] or
 * sampler:FILTER[:ADDRESS]. */
int buffer_spec_parse_contents(struct arena *arena, const char *text, struct buffer_spec *spec,
                               struct wgsim_error *err);
/* "[G:]B" into group and binding. Returns what follows, or NULL. */
const char *buffer_spec_parse_binding(const char *text, uint32_t *group, uint32_t *binding);
/* A whole --buffer argument, [G:]B=SPEC. */
int buffer_spec_parse(struct arena *arena, const char *text, struct buffer_spec *spec,
                      struct wgsim_error *err);

/* How many bytes buffer_spec_fill will make, as far as can be told before: 0 for textures, and for
 * files that are no regular ones. Sets .count. */
int buffer_spec_measure(struct buffer_spec *spec, uint64_t *bytes, struct wgsim_error *err);
/* The bytes, which the caller frees; zeros between the components of elements with gaps. iota
 * counts scalars, random floats lie in [0, 1), random integers take all values. */
uint8_t *buffer_spec_fill(struct buffer_spec *spec, uint64_t *bytes, struct wgsim_error *err);

/* Writes one number in decimal or hexadecimal, "inf" or "nan" as a scalar of the type. */
int buffer_scalar_parse(const char *text, enum wg_scalar scalar, void *out,
                        struct wgsim_error *err);

#endif
