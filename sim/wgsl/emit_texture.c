/* Calls of texture functions as C. A texture or sampler is the number of its variable, as a
 * parameter too. */
#include "sim/wgsl/emit_impl.h"

static struct emit_text made(const char *c, bool stable) {
    return (struct emit_text){.c = c, .level = LEVEL_PRIMARY, .stable = stable};
}

static bool is_array(const struct wgsl_type *texture) {
    return texture->dim == DIM_2D_ARRAY || texture->dim == DIM_CUBE_ARRAY;
}

static bool is_depth(const struct wgsl_type *texture) {
    return texture->texture == TEXTURE_DEPTH;
}

/* The letter of a texel's vector. */
static char texel_letter(const struct wgsl_type *texture) {
    enum wgsl_type_kind kind = texture->texture == TEXTURE_STORAGE ? format_channel(texture->format)
                               : texture->elem                     ? texture->elem->kind
                                                                   : TY_F32;
    return kind == TY_U32 ? 'u' : kind == TY_I32 ? 'i' : 'f';
}

/* The bytes of a texel as a site counts them; those of a sampled texture are known only when it is
 * bound. */
static uint32_t texel_bytes(const struct wgsl_type *texture) {
    return texture->texture == TEXTURE_STORAGE ? format_bytes(texture->format) : 4;
}

static uint32_t texture_site(struct emit *e, const struct wgsl_expr *expr, const char *op) {
    const struct wgsl_expr *texture = expr->args[0];
    const struct wgsl_variable *root = texture->kind == EX_LOAD && texture->lhs->kind == EX_VARIABLE
                                           ? texture->lhs->variable
                                           : NULL;
    return emit_site(e, expr->span,
                     (struct emit_site_info){.op = op,
                                             .root = root,
                                             .space = AS_STORAGE,
                                             .access = texture->type->access == AM_NONE
                                                           ? AM_READ
                                                           : texture->type->access,
                                             .bytes = texel_bytes(texture->type)});
}

/* Coordinates in whole texels as a vec3i; index: of the layer or NULL. */
static const char *texel_place(struct emit *e, const struct wgsl_type *type, struct emit_text place,
                               const char *index) {
    uint32_t count = type->kind == TY_VEC ? type->rows : 1;
    const char *cast = type_scalar(type)->kind != TY_U32 ? ""
                       : count > 1                       ? emit_format(e, "(vec%ui)", count)
                                                         : "(i32)";
    const char *c = emit_format(e, "%s%s", cast, emit_wrap(e, place, LEVEL_UNARY));
    if (count == 3) {
        return c;
    }
    return count == 2 ? emit_format(e, "vec3i_make21(%s, %s)", c, index ? index : "0")
                      : emit_format(e, "vec3i_make(%s, 0, 0)", c);
}

static struct emit_text dimensions(struct emit *e, const struct wgsl_expr *expr,
                                   const struct emit_text *args) {
    const char *level =
        expr->arg_count > 1 ? emit_format(e, "(u32)%s", emit_wrap(e, args[1], LEVEL_UNARY)) : "0";
    const char *size = emit_format(e, "wgsl_texture_size(wg, %s, %s)", args[0].c, level);
    if (expr->type->kind != TY_VEC) {
        return made(emit_format(e, "%s[0]", size), true);
    }
    return made(expr->type->rows == 2 ? emit_format(e, "wgsl_swizzle2(%s, 0, 1)", size) : size,
                true);
}

static struct emit_text load(struct emit *e, const struct wgsl_expr *expr,
                             const struct emit_text *args) {
    const struct wgsl_type *texture = expr->args[0]->type;
    uint32_t next = 2;
    const char *index = is_array(texture)
                            ? emit_format(e, "(i32)%s", emit_wrap(e, args[next++], LEVEL_UNARY))
                            : NULL;
    const char *level = next < expr->arg_count
                            ? emit_format(e, "(u32)%s", emit_wrap(e, args[next], LEVEL_UNARY))
                            : "0";
    const char *c = emit_format(e, "vec4%c_texture_load(wg, %u, %s, %s, %s, %s)",
                                texel_letter(texture), texture_site(e, expr, "WG_OP_LOAD"),
                                args[0].c, texel_place(e, expr->args[1]->type, args[1], index),
                                level, e->wanted ? e->wanted : "true");
    return made(is_depth(texture) ? emit_format(e, "%s[0]", c) : c, false);
}

static struct emit_text store(struct emit *e, const struct wgsl_expr *expr,
                              const struct emit_text *args) {
    const struct wgsl_type *texture = expr->args[0]->type;
    uint32_t next = 2;
    const char *index = is_array(texture)
                            ? emit_format(e, "(i32)%s", emit_wrap(e, args[next++], LEVEL_UNARY))
                            : NULL;
    return made(emit_format(e, "vec4%c_texture_store(wg, %u, %s, %s, %s)", texel_letter(texture),
                            texture_site(e, expr, "WG_OP_STORE"), args[0].c,
                            texel_place(e, expr->args[1]->type, args[1], index), args[next].c),
                false);
}

static struct emit_text sample(struct emit *e, const struct wgsl_expr *expr,
                               const struct emit_text *args) {
    const struct wgsl_type *texture = expr->args[0]->type;
    uint32_t next = 3, count = expr->args[2]->type->kind == TY_VEC ? expr->args[2]->type->rows : 1;
    const char *layer = is_array(texture)
                            ? emit_format(e, "(f32)%s", emit_wrap(e, args[next++], LEVEL_UNARY))
                            : "0.0f";
    const char *at = count == 3   ? args[2].c
                     : count == 2 ? emit_format(e, "vec3f_make21(%s, %s)", args[2].c, layer)
                                  : emit_format(e, "vec3f_make(%s, 0.0f, 0.0f)", args[2].c);
    const char *level = next < expr->arg_count
                            ? emit_format(e, "(f32)%s", emit_wrap(e, args[next++], LEVEL_UNARY))
                            : "0.0f";
    const char *offset = next < expr->arg_count
                             ? texel_place(e, expr->args[next]->type, args[next], NULL)
                             : "(vec3i){0}";
    const char *c =
        emit_format(e, "wgsl_texture_sample(wg, %u, %s, %s, %s, %s, %s)",
                    texture_site(e, expr, "WG_OP_LOAD"), args[0].c, args[1].c, at, level, offset);
    return made(is_depth(texture) ? emit_format(e, "%s[0]", c) : c, false);
}

static bool is_possible(const struct wgsl_type *texture) {
    return (texture->texture == TEXTURE_SAMPLED || texture->texture == TEXTURE_DEPTH ||
            texture->texture == TEXTURE_STORAGE) &&
           texture->dim != DIM_CUBE && texture->dim != DIM_CUBE_ARRAY;
}

struct emit_text emit_texture(struct emit *e, const struct wgsl_expr *expr,
                              const struct emit_text *args) {
    e->textures = true;
    if (!is_possible(expr->args[0]->type)) {
        emit_unsupported(e, expr->args[0]->span, expr->args[0]->type->name);
    }
    switch (expr->builtin) {
    case BI_textureDimensions:
        return dimensions(e, expr, args);
    case BI_textureNumLayers:
        return made(emit_format(e, "wgsl_texture_size(wg, %s, 0)[2]", args[0].c), true);
    case BI_textureNumLevels:
        return made(emit_format(e, "wgsl_texture(wg, %s)->levels", args[0].c), true);
    case BI_textureLoad:
        return load(e, expr, args);
    case BI_textureStore:
        return store(e, expr, args);
    case BI_textureSampleLevel:
        return sample(e, expr, args);
    default:
        emit_unsupported(e, expr->span, builtin_name(expr->builtin));
        return made("0", true);
    }
}
