/* Overloads of the texture functions. */

#include "sim/wgsl/overload.h"

/* Arguments after the texture (and the component, for textureGather of a sampled texture):
 *   s sampler    S sampler_comparison    c coordinates in f32    i coordinates in i32 or u32
 *   a array index, where the texture is an array    l level or sample number in i32 or u32
 *   f one f32    g gradient in f32    v one texel    o offset, may be left out (not for cubes)
 *   L level, may be left out
 * Results: T four channels, D f32, d dimensions, u u32, V four f32, - nothing. */
struct texture_signature {
    enum wgsl_builtin builtin;
    unsigned textures; /* bits by enum wgsl_texture_kind */
    unsigned dims;     /* bits by enum wgsl_texture_dim */
    const char *params;
    char result;
};

enum {
    SAMPLED = 1 << TEXTURE_SAMPLED,
    MULTI = 1 << TEXTURE_MULTISAMPLED,
    DEPTH = 1 << TEXTURE_DEPTH,
    DEPTH_MULTI = 1 << TEXTURE_DEPTH_MULTISAMPLED,
    STORAGE = 1 << TEXTURE_STORAGE,
    EXTERNAL = 1 << TEXTURE_EXTERNAL,

    D1 = 1 << DIM_1D,
    D2 = 1 << DIM_2D,
    D2A = 1 << DIM_2D_ARRAY,
    D3 = 1 << DIM_3D,
    CUBE = 1 << DIM_CUBE,
    CUBEA = 1 << DIM_CUBE_ARRAY,
    ALL = D1 | D2 | D2A | D3 | CUBE | CUBEA,
    FLAT = D2 | D2A,
    CUBES = CUBE | CUBEA,
};

static const struct texture_signature signatures[] = {
    {BI_textureDimensions, SAMPLED | DEPTH, ALL, "L", 'd'},
    {BI_textureDimensions, MULTI | DEPTH_MULTI | STORAGE | EXTERNAL, ALL, "", 'd'},
    {BI_textureNumLayers, SAMPLED | DEPTH | STORAGE, D2A | CUBEA, "", 'u'},
    {BI_textureNumLevels, SAMPLED | DEPTH, ALL, "", 'u'},
    {BI_textureNumSamples, MULTI | DEPTH_MULTI, ALL, "", 'u'},
    {BI_textureLoad, SAMPLED | DEPTH, D1 | FLAT | D3, "ial", 'T'},
    {BI_textureLoad, MULTI | DEPTH_MULTI, D2, "il", 'T'},
    {BI_textureLoad, EXTERNAL, D2, "i", 'T'},
    {BI_textureLoad, STORAGE, ALL, "ia", 'T'},
    {BI_textureStore, STORAGE, ALL, "iav", '-'},
    {BI_textureSample, SAMPLED, D1, "sc", 'T'},
    {BI_textureSample, SAMPLED, FLAT | D3 | CUBES, "scao", 'T'},
    {BI_textureSample, DEPTH, FLAT | CUBES, "scao", 'D'},
    {BI_textureSampleBias, SAMPLED, FLAT | D3 | CUBES, "scafo", 'T'},
    {BI_textureSampleCompare, DEPTH, FLAT | CUBES, "Scafo", 'D'},
    {BI_textureSampleCompareLevel, DEPTH, FLAT | CUBES, "Scafo", 'D'},
    {BI_textureSampleGrad, SAMPLED, FLAT | D3 | CUBES, "scaggo", 'T'},
    {BI_textureSampleLevel, SAMPLED, D1, "scf", 'T'},
    {BI_textureSampleLevel, SAMPLED, FLAT | D3 | CUBES, "scafo", 'T'},
    {BI_textureSampleLevel, DEPTH, FLAT | CUBES, "scalo", 'D'},
    {BI_textureSampleBaseClampToEdge, SAMPLED | EXTERNAL, D2, "sc", 'V'},
    {BI_textureGather, SAMPLED, FLAT | CUBES, "scao", 'T'},
    {BI_textureGather, DEPTH, FLAT | CUBES, "scao", 'V'},
    {BI_textureGatherCompare, DEPTH, FLAT | CUBES, "Scafo", 'V'},
};

struct texture_use {
    const struct wgsl_candidates *use;
    const struct wgsl_type *texture;
    uint32_t next; /* argument */
    struct wgsl_match *match;
};

static bool is_array(const struct wgsl_type *t) {
    return t->dim == DIM_2D_ARRAY || t->dim == DIM_CUBE_ARRAY;
}

static bool is_cube(const struct wgsl_type *t) {
    return t->dim == DIM_CUBE || t->dim == DIM_CUBE_ARRAY;
}

/* Numbers in a place of the texture. */
static uint32_t coordinates(const struct wgsl_type *t) {
    return t->dim == DIM_1D ? 1 : t->dim == DIM_3D || is_cube(t) ? 3 : 2;
}

static const struct wgsl_type *channel(struct wgsl_types *types, const struct wgsl_type *t) {
    if (t->texture == TEXTURE_STORAGE)
        return type_basic(types, format_channel(t->format));
    return t->elem ? t->elem : type_basic(types, TY_F32);
}

/* The next argument as components numbers of a scalar type out of allowed. */
static bool take(struct texture_use *t, uint32_t components, unsigned allowed) {
    if (t->next >= t->use->arg_count)
        return false;
    const struct wgsl_type *arg = t->use->args[t->next], *scalar = type_scalar(arg);
    if (components == 1 ? !type_is_scalar(arg) : arg->kind != TY_VEC || arg->rows != components)
        return false;
    const struct wgsl_type *type = overload_common(t->use->types, &scalar, 1, allowed, false);
    if (!type)
        return false;
    t->match->params[t->next++] = components > 1 ? type_vec(t->use->types, type, components) : type;
    return true;
}

static bool take_exact(struct texture_use *t, enum wgsl_type_kind kind) {
    if (t->next >= t->use->arg_count || t->use->args[t->next]->kind != kind)
        return false;
    t->match->params[t->next] = t->use->args[t->next];
    t->next++;
    return true;
}

static bool take_param(struct texture_use *t, char param) {
    enum { INTEGER = SCALAR_BIT(TY_I32) | SCALAR_BIT(TY_U32), FLOAT = SCALAR_BIT(TY_F32) };
    uint32_t n = coordinates(t->texture);
    switch (param) {
    case 's':
        return take_exact(t, TY_SAMPLER);
    case 'S':
        return take_exact(t, TY_SAMPLER_COMPARISON);
    case 'c':
    case 'g':
        return take(t, n, FLOAT);
    case 'i':
        return take(t, n, INTEGER);
    case 'a':
        return !is_array(t->texture) || take(t, 1, INTEGER);
    case 'l':
        return take(t, 1, INTEGER);
    case 'L':
        return t->next == t->use->arg_count || take(t, 1, INTEGER);
    case 'f':
        return take(t, 1, FLOAT);
    case 'v':
        return take(t, 4, SCALAR_BIT(channel(t->use->types, t->texture)->kind));
    default: /* o */
        if (t->next == t->use->arg_count)
            return true;
        return !is_cube(t->texture) && take(t, n, SCALAR_BIT(TY_I32));
    }
}

static const struct wgsl_type *make_result(const struct texture_use *t, char result) {
    struct wgsl_types *types = t->use->types;
    const struct wgsl_type *u32 = type_basic(types, TY_U32), *f32 = type_basic(types, TY_F32);
    bool depth =
        t->texture->texture == TEXTURE_DEPTH || t->texture->texture == TEXTURE_DEPTH_MULTISAMPLED;
    uint32_t n = t->texture->dim == DIM_1D ? 1 : t->texture->dim == DIM_3D ? 3 : 2;
    switch (result) {
    case 'T':
        return depth ? f32 : type_vec(types, channel(types, t->texture), 4);
    case 'D':
        return f32;
    case 'd':
        return n == 1 ? u32 : type_vec(types, u32, n);
    case 'u':
        return u32;
    case 'V':
        return type_vec(types, f32, 4);
    default:
        return type_basic(types, TY_VOID);
    }
}

/* What a function demands of the texture beside its kind. */
static bool is_usable(const struct wgsl_type *texture, enum wgsl_builtin builtin) {
    if (texture->texture == TEXTURE_STORAGE) {
        if (builtin == BI_textureLoad)
            return texture->access != AM_WRITE;
        return builtin != BI_textureStore || texture->access != AM_READ;
    }
    bool samples = builtin >= BI_textureSample && builtin <= BI_textureSampleBaseClampToEdge;
    return !samples || !texture->elem || texture->elem->kind == TY_F32;
}

static bool fits(const struct wgsl_candidates *use, const struct texture_signature *s,
                 struct wgsl_match *match) {
    struct texture_use t = {use, NULL, 0, match};
    if (use->arg_count == 0)
        return false;
    bool component = s->builtin == BI_textureGather && (s->textures & SAMPLED);
    if (component && !take(&t, 1, SCALAR_BIT(TY_I32) | SCALAR_BIT(TY_U32)))
        return false;
    if (t.next >= use->arg_count || use->args[t.next]->kind != TY_TEXTURE)
        return false;
    t.texture = use->args[t.next];
    if (!(s->textures >> t.texture->texture & 1) || !(s->dims >> t.texture->dim & 1) ||
        !is_usable(t.texture, s->builtin) || !take_exact(&t, TY_TEXTURE))
        return false;
    for (const char *p = s->params; *p; p++)
        if (!take_param(&t, *p))
            return false;
    match->result = make_result(&t, s->result);
    return t.next == use->arg_count;
}

bool overload_texture(const struct wgsl_candidates *use, enum wgsl_builtin builtin,
                      struct wgsl_match *match) {
    if (use->arg_count > OVERLOAD_ARGUMENTS)
        return false;
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++)
        if (signatures[i].builtin == builtin && fits(use, &signatures[i], match))
            return true;
    return false;
}
