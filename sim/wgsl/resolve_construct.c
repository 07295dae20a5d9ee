/* Constructors of types. */
#include <string.h>

#include "sim/wgsl/overload.h"
#include "sim/wgsl/resolve.h"

enum { CONSTANT_ELEMENTS_LIMIT = 1 << 20 }; /* scalars that one constant may hold */

enum {
    ANY_NUMBER = SCALAR_BIT(TY_ABSTRACT_INT) | SCALAR_BIT(TY_ABSTRACT_FLOAT) | SCALAR_BIT(TY_I32) |
                 SCALAR_BIT(TY_U32) | SCALAR_BIT(TY_F32) | SCALAR_BIT(TY_F16),
    ANY_SCALAR = ANY_NUMBER | SCALAR_BIT(TY_BOOL),
    ANY_FLOAT = SCALAR_BIT(TY_ABSTRACT_FLOAT) | SCALAR_BIT(TY_F32) | SCALAR_BIT(TY_F16),
};

static bool all_const(const struct wgsl_expr *e) {
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (e->args[i]->stage != STAGE_CONST)
            return false;
    return true;
}

static void set_stage(struct wgsl_expr *e) {
    e->stage = STAGE_CONST;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (e->args[i]->stage > e->stage)
            e->stage = e->args[i]->stage;
}

/* The node as a constructor, with its value if all arguments have one. */
static bool finish(struct wgsl_resolver *r, struct wgsl_expr *e, const struct wgsl_type *type,
                   enum wgsl_construct how) {
    e->kind = EX_CONSTRUCT;
    e->type = type;
    e->construct = how;
    set_stage(e);
    if (e->stage != STAGE_CONST || r->skipped)
        return true;
    const struct wgsl_value **values = heap_alloc(r->heap, (e->arg_count + 1) * sizeof *values);
    bool all_zero = true;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        values[i] = e->args[i]->value;
        if (!values[i])
            return true; /* inside what && or || skipped */
        all_zero &= values[i]->leaves == NULL;
    }
    if (!all_zero && type->leaf_count > CONSTANT_ELEMENTS_LIMIT) {
        RESOLVE_ERROR(r, e->span, "this constant is too large");
        return false;
    }
    e->value = eval_construct(&r->eval, how, values, e->arg_count, type, e->span);
    return e->value != NULL;
}

static bool mismatch(struct wgsl_resolver *r, const struct wgsl_expr *e,
                     const struct wgsl_type *type) {
    struct buf text = {0};
    for (uint32_t i = 0; i < e->arg_count && text.len < 300; i++)
        buf_printf(&text, "%s%s", i ? ", " : "", e->args[i]->type->name);
    RESOLVE_ERROR(r, e->span, "'%s' cannot be made from (%s)", type ? type->name : e->lhs->name,
                  text.data ? text.data : "");
    buf_release(&text);
    return false;
}

static bool convert_args(struct wgsl_resolver *r, struct wgsl_expr *e,
                         const struct wgsl_type *scalar) {
    for (uint32_t i = 0; i < e->arg_count; i++) {
        struct wgsl_expr *arg = e->args[i];
        if (!resolve_convert(r, arg, type_with_scalar(r->types, arg->type, scalar)))
            return false;
    }
    return true;
}

/* Whether each argument is a scalar or vector that turns into scalar by itself; counts them. */
static bool count_components(const struct wgsl_expr *e, const struct wgsl_type *scalar,
                             uint32_t *count) {
    *count = 0;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        const struct wgsl_type *t = e->args[i]->type;
        if (!type_is_scalar(type_scalar(t)) || t->kind == TY_MAT ||
            type_conversion_rank(type_scalar(t), scalar) < 0)
            return false;
        *count += t->kind == TY_VEC ? t->rows : 1;
    }
    return true;
}

static bool construct_scalar(struct wgsl_resolver *r, struct wgsl_expr *e,
                             const struct wgsl_type *type) {
    if (e->arg_count != 1 || !type_is_scalar(e->args[0]->type))
        return mismatch(r, e, type);
    return finish(r, e, type, CONSTRUCT_CONVERT);
}

static bool construct_vector(struct wgsl_resolver *r, struct wgsl_expr *e,
                             const struct wgsl_type *type) {
    const struct wgsl_type *first = e->args[0]->type;
    uint32_t count;
    if (e->arg_count == 1 && first->kind == TY_VEC && first->rows == type->rows)
        return finish(r, e, type, CONSTRUCT_CONVERT);
    bool fits = count_components(e, type->elem, &count);
    bool splat = e->arg_count == 1 && type_is_scalar(first);
    if (!fits || (!splat && count != type->rows))
        return mismatch(r, e, type);
    return convert_args(r, e, type->elem) &&
           finish(r, e, type, splat ? CONSTRUCT_SPLAT : CONSTRUCT_COMPONENTS);
}

static bool construct_matrix(struct wgsl_resolver *r, struct wgsl_expr *e,
                             const struct wgsl_type *type) {
    const struct wgsl_type *first = e->args[0]->type;
    uint32_t count;
    if (e->arg_count == 1 && first->kind == TY_MAT && first->columns == type->columns &&
        first->rows == type->rows)
        return finish(r, e, type, CONSTRUCT_CONVERT);
    bool fits = count_components(e, type->elem, &count) && count == type->leaf_count;
    bool columns = e->arg_count == type->columns;
    for (uint32_t i = 0; fits && i < e->arg_count; i++)
        fits = columns ? e->args[i]->type->kind == TY_VEC && e->args[i]->type->rows == type->rows
                       : type_is_scalar(e->args[i]->type);
    if (!fits)
        return mismatch(r, e, type);
    return convert_args(r, e, type->elem) && finish(r, e, type, CONSTRUCT_COMPONENTS);
}

/* One argument for an element or member of a type. */
static bool take_part(struct wgsl_resolver *r, struct wgsl_expr *arg,
                      const struct wgsl_type *type) {
    if (type_conversion_rank(arg->type, type) < 0) {
        RESOLVE_ERROR(r, arg->span, "expected '%s' here, not '%s'", type->name, arg->type->name);
        return false;
    }
    return resolve_convert(r, arg, type);
}

static bool check_part_count(struct wgsl_resolver *r, const struct wgsl_expr *e,
                             const struct wgsl_type *type, uint64_t count) {
    if (e->arg_count == count)
        return true;
    RESOLVE_ERROR(r, e->span, "'%s' needs %llu values, not %u", type->name,
                  (unsigned long long)count, e->arg_count);
    return false;
}

static bool construct_array(struct wgsl_resolver *r, struct wgsl_expr *e,
                            const struct wgsl_type *type) {
    if (!check_part_count(r, e, type, type->count))
        return false;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!take_part(r, e->args[i], type->elem))
            return false;
    return finish(r, e, type, CONSTRUCT_COMPONENTS);
}

static bool construct_struct(struct wgsl_resolver *r, struct wgsl_expr *e,
                             const struct wgsl_type *type) {
    if (!check_part_count(r, e, type, type->member_count))
        return false;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!take_part(r, e->args[i], type->members[i].type))
            return false;
    return finish(r, e, type, CONSTRUCT_COMPONENTS);
}

bool resolve_construct(struct wgsl_resolver *r, struct wgsl_expr *e, const struct wgsl_type *type) {
    if (!type->constructible) {
        if (type->kind == TY_ARRAY)
            RESOLVE_ERROR(r, e->span, "an array of no fixed size cannot be made as a value");
        else
            RESOLVE_ERROR(r, e->span, "'%s' cannot be made as a value", type->name);
        return false;
    }
    if (e->arg_count == 0)
        return finish(r, e, type, CONSTRUCT_ZERO);
    switch (type->kind) {
    case TY_VEC:
        return construct_vector(r, e, type);
    case TY_MAT:
        return construct_matrix(r, e, type);
    case TY_ARRAY:
        return construct_array(r, e, type);
    case TY_STRUCT:
        return construct_struct(r, e, type);
    default:
        return construct_scalar(r, e, type);
    }
}

/* -- inference -- */

/* The scalar type for the components of a vector or matrix made from the arguments. */
static const struct wgsl_type *infer_scalar(struct wgsl_resolver *r, const struct wgsl_expr *e,
                                            unsigned allowed) {
    const struct wgsl_type *scalars[16];
    if (e->arg_count > 16)
        return NULL;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        scalars[i] = type_scalar(e->args[i]->type);
        if (!type_is_scalar(scalars[i]))
            return NULL;
    }
    return overload_common(r->types, scalars, e->arg_count, allowed, all_const(e));
}

static bool infer_vector(struct wgsl_resolver *r, struct wgsl_expr *e, uint32_t rows) {
    const struct wgsl_type *scalar =
        e->arg_count ? infer_scalar(r, e, ANY_SCALAR) : type_basic(r->types, TY_ABSTRACT_INT);
    if (!scalar)
        return mismatch(r, e, NULL);
    return resolve_construct(r, e, type_vec(r->types, scalar, rows));
}

static bool infer_matrix(struct wgsl_resolver *r, struct wgsl_expr *e, uint32_t columns,
                         uint32_t rows) {
    const struct wgsl_type *scalar = e->arg_count ? infer_scalar(r, e, ANY_FLOAT) : NULL;
    if (!scalar)
        return mismatch(r, e, NULL);
    return resolve_construct(r, e, type_mat(r->types, scalar, columns, rows));
}

/* Makes *a the one of both types that the other turns into; false if there is none. */
static bool unify(const struct wgsl_type **a, const struct wgsl_type *b) {
    if (type_conversion_rank(b, *a) >= 0)
        return true;
    if (type_conversion_rank(*a, b) < 0)
        return false;
    *a = b;
    return true;
}

static bool infer_array(struct wgsl_resolver *r, struct wgsl_expr *e) {
    if (e->arg_count == 0) {
        RESOLVE_ERROR(r, e->span, "an array without element type needs elements");
        return false;
    }
    const struct wgsl_type *elem = e->args[0]->type;
    for (uint32_t i = 1; i < e->arg_count; i++)
        if (!unify(&elem, e->args[i]->type))
            return mismatch(r, e, NULL);
    if (!all_const(e))
        elem = type_concrete(r->types, elem);
    if (!elem->constructible) {
        RESOLVE_ERROR(r, e->span, "'%s' cannot be the element of an array value", elem->name);
        return false;
    }
    return resolve_construct(r, e, type_array(r->types, elem, e->arg_count, NULL, NULL));
}

bool resolve_inferred_construct(struct wgsl_resolver *r, struct wgsl_expr *e, bool *known) {
    const char *name = e->lhs->name;
    *known = true;
    if (strcmp(name, "array") == 0)
        return infer_array(r, e);
    bool vec = strncmp(name, "vec", 3) == 0, mat = strncmp(name, "mat", 3) == 0;
    size_t length = strlen(name);
    if (vec && length == 4 && strchr("234", name[3]))
        return infer_vector(r, e, (uint32_t)(name[3] - '0'));
    if (mat && length == 6 && resolve_is_type_name(name))
        return infer_matrix(r, e, (uint32_t)(name[3] - '0'), (uint32_t)(name[5] - '0'));
    *known = false;
    return false;
}
