/* WGSL types. */
#include "sim/wgsl/type.h"

#include <stdio.h>
#include <string.h>

#include "sim/wgsl/heap.h"

enum { TYPE_BUCKETS = 256 };

struct entry {
    struct entry *next;
    const struct wgsl_type *type;
    const void *key; /* what tells equal-looking types apart */
};

struct wgsl_types {
    struct wgsl_heap *heap;
    const struct wgsl_type *basic[TY_COUNT];
    struct entry *buckets[TYPE_BUCKETS];
};

static const char *const space_names[] = {
    "none", "function", "private", "workgroup", "uniform", "storage", "handle",
};
static const char *const access_names[] = {"none", "read", "write", "read_write"};

static const struct {
    const char *name;
    enum wgsl_type_kind channel;
    uint32_t bits;
} formats[] = {
#define FORMAT(name, channel, channels, bits) {#name, channel, bits},
#include "sim/wgsl/format.def"
#undef FORMAT
};

static const char *const builtin_values[] = {
    "none",
#define BUILTIN_VALUE(name) #name,
#include "sim/wgsl/builtin_value.def"
#undef BUILTIN_VALUE
};

const char *space_name(enum wgsl_space space) {
    return space_names[space];
}

const char *access_name(enum wgsl_access access) {
    return access_names[access];
}

const char *format_name(enum wgsl_texel_format format) {
    return formats[format].name;
}

uint32_t format_bytes(enum wgsl_texel_format format) {
    return formats[format].bits / 8;
}

enum wgsl_type_kind format_channel(enum wgsl_texel_format format) {
    return formats[format].channel;
}

const char *builtin_value_name(enum wgsl_builtin_value value) {
    return builtin_values[value];
}

/* -- questions -- */

bool type_is_integer(const struct wgsl_type *t) {
    return t->kind == TY_ABSTRACT_INT || t->kind == TY_I32 || t->kind == TY_U32;
}

bool type_is_float(const struct wgsl_type *t) {
    return t->kind == TY_ABSTRACT_FLOAT || t->kind == TY_F32 || t->kind == TY_F16;
}

bool type_is_numeric(const struct wgsl_type *t) {
    return type_is_integer(t) || type_is_float(t);
}

bool type_is_scalar(const struct wgsl_type *t) {
    return type_is_numeric(t) || t->kind == TY_BOOL;
}

bool type_is_abstract(const struct wgsl_type *t) {
    return t->kind == TY_ABSTRACT_INT || t->kind == TY_ABSTRACT_FLOAT;
}

bool type_is_handle(const struct wgsl_type *t) {
    return t->kind == TY_TEXTURE || t->kind == TY_SAMPLER || t->kind == TY_SAMPLER_COMPARISON;
}

const struct wgsl_type *type_scalar(const struct wgsl_type *t) {
    return t->kind == TY_VEC || t->kind == TY_MAT ? t->elem : t;
}

const struct wgsl_type *type_unref(const struct wgsl_type *t) {
    return t->kind == TY_REF || t->kind == TY_PTR ? t->elem : t;
}

/* -- making -- */

static uint64_t round_up(uint64_t align, uint64_t n) {
    return align ? (n + align - 1) / align * align : n;
}

static uint64_t multiply_saturating(uint64_t a, uint64_t b) {
    return a && b > UINT64_MAX / 4 / a ? UINT64_MAX / 4 : a * b;
}

/* Everything that follows from the fields that make the type up. */
static void derive_scalar(struct wgsl_type *t) {
    bool abstract = t->kind == TY_ABSTRACT_INT || t->kind == TY_ABSTRACT_FLOAT;
    t->size = t->align = t->kind == TY_F16 ? 2 : abstract ? 8 : 4;
    t->constructible = t->storable = t->fixed_footprint = t->creation_fixed = true;
    t->host_shareable = t->kind != TY_BOOL && !abstract;
    t->storable = !abstract;
    t->has_abstract = abstract;
    t->leaf_count = 1;
    t->depth = 1;
}

static void inherit(struct wgsl_type *t, const struct wgsl_type *elem) {
    t->constructible = elem->constructible;
    t->storable = elem->storable;
    t->host_shareable = elem->host_shareable;
    t->fixed_footprint = elem->fixed_footprint;
    t->creation_fixed = elem->creation_fixed;
    t->has_atomic = elem->has_atomic;
    t->has_abstract = elem->has_abstract;
    t->depth = elem->depth + 1;
}

static void derive_vector(struct wgsl_type *t) {
    inherit(t, t->elem);
    t->size = t->elem->size * t->rows;
    t->align = t->elem->size * (t->rows == 3 ? 4 : t->rows);
    t->stride = t->elem->size;
    t->leaf_count = t->rows;
}

static void derive_matrix(struct wgsl_type *t) {
    inherit(t, t->elem);
    t->align = t->elem->size * (t->rows == 3 ? 4 : t->rows);
    t->stride = t->align;
    t->size = t->stride * t->columns;
    t->leaf_count = (uint64_t)t->rows * t->columns;
    t->depth = t->elem->depth + 2;
}

static void derive_array(struct wgsl_type *t) {
    inherit(t, t->elem);
    t->align = t->elem->align;
    t->stride = round_up(t->align, t->elem->size);
    t->size = multiply_saturating(t->count, t->stride);
    t->leaf_count = multiply_saturating(t->count, t->elem->leaf_count);
    if (t->count)
        return;
    t->constructible = t->creation_fixed = false;
    t->fixed_footprint = t->count_expr != NULL;
}

static void derive_other(struct wgsl_type *t) {
    if (t->kind == TY_ATOMIC) {
        inherit(t, t->elem);
        t->size = t->elem->size;
        t->align = t->elem->align;
        t->constructible = false;
        t->has_atomic = true;
        t->depth = 1;
        t->leaf_count = 1;
        return;
    }
    t->storable =
        t->kind == TY_SAMPLER || t->kind == TY_SAMPLER_COMPARISON || t->kind == TY_TEXTURE;
    t->depth = 1;
}

static void derive(struct wgsl_type *t) {
    switch (t->kind) {
    case TY_BOOL:
    case TY_ABSTRACT_INT:
    case TY_ABSTRACT_FLOAT:
    case TY_I32:
    case TY_U32:
    case TY_F32:
    case TY_F16:
        derive_scalar(t);
        break;
    case TY_VEC:
        derive_vector(t);
        break;
    case TY_MAT:
        derive_matrix(t);
        break;
    case TY_ARRAY:
        derive_array(t);
        break;
    default:
        derive_other(t);
        break;
    }
}

static const char *texture_name(struct wgsl_heap *heap, const struct wgsl_type *t) {
    static const char *const dims[] = {"1d", "2d", "2d_array", "3d", "cube", "cube_array"};
    const char *dim = dims[t->dim];
    switch (t->texture) {
    case TEXTURE_SAMPLED:
        return heap_printf(heap, "texture_%s<%s>", dim, t->elem->name);
    case TEXTURE_MULTISAMPLED:
        return heap_printf(heap, "texture_multisampled_%s<%s>", dim, t->elem->name);
    case TEXTURE_DEPTH:
        return heap_printf(heap, "texture_depth_%s", dim);
    case TEXTURE_DEPTH_MULTISAMPLED:
        return heap_printf(heap, "texture_depth_multisampled_%s", dim);
    case TEXTURE_STORAGE:
        return heap_printf(heap, "texture_storage_%s<%s, %s>", dim, format_name(t->format),
                           access_name(t->access));
    default:
        return "texture_external";
    }
}

static const char *make_name(struct wgsl_heap *heap, const struct wgsl_type *t) {
    static const char *const basic[TY_COUNT] = {
        [TY_VOID] = "void",
        [TY_BOOL] = "bool",
        [TY_ABSTRACT_INT] = "abstract-int",
        [TY_ABSTRACT_FLOAT] = "abstract-float",
        [TY_I32] = "i32",
        [TY_U32] = "u32",
        [TY_F32] = "f32",
        [TY_F16] = "f16",
        [TY_SAMPLER] = "sampler",
        [TY_SAMPLER_COMPARISON] = "sampler_comparison",
    };
    if (basic[t->kind])
        return basic[t->kind];
    const char *elem = t->elem ? t->elem->name : "";
    switch (t->kind) {
    case TY_VEC:
        return heap_printf(heap, "vec%u<%s>", t->rows, elem);
    case TY_MAT:
        return heap_printf(heap, "mat%ux%u<%s>", t->columns, t->rows, elem);
    case TY_ARRAY:
        if (t->count)
            return heap_printf(heap, "array<%s, %llu>", elem, (unsigned long long)t->count);
        return heap_printf(heap, t->count_expr ? "array<%s, override>" : "array<%s>", elem);
    case TY_ATOMIC:
        return heap_printf(heap, "atomic<%s>", elem);
    case TY_PTR:
    case TY_REF:
        return heap_printf(heap, "%s<%s, %s, %s>", t->kind == TY_PTR ? "ptr" : "ref",
                           space_name(t->space), elem, access_name(t->access));
    default:
        return texture_name(heap, t);
    }
}

static uint32_t hash(const struct wgsl_type *t, const void *key) {
    uint64_t h = (uint64_t)(uintptr_t)t->elem * 31 + (uint64_t)(uintptr_t)key;
    h = h * 31 + (uint64_t)t->kind * 7 + t->rows + t->columns * 5u + t->count * 3;
    h = h * 31 + (uint64_t)t->space + (uint64_t)t->access * 8 + (uint64_t)t->texture * 64;
    h = h * 31 + (uint64_t)t->dim + (uint64_t)t->format * 8;
    return (uint32_t)((h * 0x9e3779b97f4a7c15u) >> 56) % TYPE_BUCKETS;
}

static bool same(const struct wgsl_type *a, const struct wgsl_type *b) {
    return a->kind == b->kind && a->elem == b->elem && a->rows == b->rows &&
           a->columns == b->columns && a->count == b->count && a->space == b->space &&
           a->access == b->access && a->texture == b->texture && a->dim == b->dim &&
           a->format == b->format;
}

/* The one type that equals wanted; key tells types apart that look the same. */
static const struct wgsl_type *intern(struct wgsl_types *types, const struct wgsl_type *wanted,
                                      const void *key) {
    struct entry **bucket = &types->buckets[hash(wanted, key)];
    for (struct entry *e = *bucket; e; e = e->next)
        if (e->key == key && same(e->type, wanted))
            return e->type;
    struct wgsl_type *t = HEAP_NEW(types->heap, struct wgsl_type);
    struct entry *e = HEAP_NEW(types->heap, struct entry);
    *t = *wanted;
    derive(t);
    t->name = make_name(types->heap, t);
    *e = (struct entry){*bucket, t, key};
    *bucket = e;
    return t;
}

struct wgsl_types *types_new(struct wgsl_heap *heap) {
    struct wgsl_types *types = HEAP_NEW(heap, struct wgsl_types);
    types->heap = heap;
    static const enum wgsl_type_kind basic[] = {
        TY_VOID, TY_BOOL, TY_ABSTRACT_INT, TY_ABSTRACT_FLOAT, TY_I32,
        TY_U32,  TY_F32,  TY_F16,          TY_SAMPLER,        TY_SAMPLER_COMPARISON,
    };
    for (size_t i = 0; i < sizeof basic / sizeof basic[0]; i++)
        types->basic[basic[i]] = intern(types, &(struct wgsl_type){.kind = basic[i]}, NULL);
    return types;
}

const struct wgsl_type *type_basic(struct wgsl_types *types, enum wgsl_type_kind kind) {
    return types->basic[kind];
}

const struct wgsl_type *type_vec(struct wgsl_types *types, const struct wgsl_type *elem,
                                 uint32_t rows) {
    return intern(types, &(struct wgsl_type){.kind = TY_VEC, .elem = elem, .rows = rows}, NULL);
}

const struct wgsl_type *type_mat(struct wgsl_types *types, const struct wgsl_type *elem,
                                 uint32_t columns, uint32_t rows) {
    return intern(
        types, &(struct wgsl_type){.kind = TY_MAT, .elem = elem, .rows = rows, .columns = columns},
        NULL);
}

const struct wgsl_type *type_array(struct wgsl_types *types, const struct wgsl_type *elem,
                                   uint64_t count, struct wgsl_expr *count_expr,
                                   const struct wgsl_variable *key) {
    struct wgsl_type wanted = {
        .kind = TY_ARRAY, .elem = elem, .count = count, .count_expr = count_expr};
    return intern(types, &wanted, key ? (const void *)key : (const void *)count_expr);
}

const struct wgsl_type *type_atomic(struct wgsl_types *types, const struct wgsl_type *elem) {
    return intern(types, &(struct wgsl_type){.kind = TY_ATOMIC, .elem = elem}, NULL);
}

const struct wgsl_type *type_ptr(struct wgsl_types *types, enum wgsl_space space,
                                 const struct wgsl_type *elem, enum wgsl_access access) {
    return intern(
        types, &(struct wgsl_type){.kind = TY_PTR, .elem = elem, .space = space, .access = access},
        NULL);
}

const struct wgsl_type *type_ref(struct wgsl_types *types, enum wgsl_space space,
                                 const struct wgsl_type *elem, enum wgsl_access access) {
    return intern(
        types, &(struct wgsl_type){.kind = TY_REF, .elem = elem, .space = space, .access = access},
        NULL);
}

const struct wgsl_type *type_texture(struct wgsl_types *types, enum wgsl_texture_kind kind,
                                     enum wgsl_texture_dim dim, const struct wgsl_type *elem,
                                     enum wgsl_texel_format format, enum wgsl_access access) {
    struct wgsl_type wanted = {.kind = TY_TEXTURE,
                               .texture = kind,
                               .dim = dim,
                               .elem = elem,
                               .format = format,
                               .access = access};
    return intern(types, &wanted, NULL);
}

/* -- structs -- */

static void add_member(struct wgsl_type *t, struct wgsl_member *m) {
    m->align = m->align ? m->align : m->type->align;
    m->size = m->size ? m->size : m->type->size;
    m->offset = round_up(m->align, t->size);
    t->size = m->offset + m->size;
    t->align = m->align > t->align ? m->align : t->align;
    t->constructible &= m->type->constructible;
    t->host_shareable &= m->type->host_shareable;
    t->fixed_footprint &= m->type->fixed_footprint;
    t->creation_fixed &= m->type->creation_fixed;
    t->has_atomic |= m->type->has_atomic;
    t->has_abstract |= m->type->has_abstract;
    t->depth = m->type->depth >= t->depth ? m->type->depth + 1 : t->depth;
    uint64_t room = UINT64_MAX / 4 - t->leaf_count;
    t->leaf_count += m->type->leaf_count < room ? m->type->leaf_count : room;
}

const struct wgsl_type *type_struct(struct wgsl_types *types, const char *name,
                                    struct wgsl_span span, struct wgsl_member *members,
                                    uint32_t member_count) {
    struct wgsl_type *t = HEAP_NEW(types->heap, struct wgsl_type);
    t->kind = TY_STRUCT;
    t->name = name;
    t->span = span;
    t->members = members;
    t->member_count = member_count;
    t->constructible = t->storable = t->host_shareable = true;
    t->fixed_footprint = t->creation_fixed = true;
    t->align = 1;
    for (uint32_t i = 0; i < member_count; i++) {
        members[i].index = i;
        add_member(t, &members[i]);
    }
    t->size = round_up(t->align, t->size);
    return t;
}

static const struct wgsl_type *result_struct(struct wgsl_types *types, const char *prefix,
                                             const struct wgsl_type *key, const char *const *names,
                                             const struct wgsl_type *const *member_types) {
    struct wgsl_type probe = {.kind = TY_STRUCT, .elem = key};
    struct entry **bucket = &types->buckets[hash(&probe, prefix)];
    for (struct entry *e = *bucket; e; e = e->next)
        if (e->key == prefix && e->type->kind == TY_STRUCT && e->type->elem == key)
            return e->type;
    struct wgsl_member *members = heap_alloc(types->heap, 2 * sizeof *members);
    for (int i = 0; i < 2; i++) {
        members[i].name = names[i];
        members[i].type = member_types[i];
    }
    const char *suffix =
        type_scalar(key)->kind == TY_ABSTRACT_FLOAT ? "abstract" : type_scalar(key)->name;
    char *name = key->kind == TY_VEC
                     ? heap_printf(types->heap, "%s_vec%u_%s", prefix, key->rows, suffix)
                     : heap_printf(types->heap, "%s_%s", prefix, suffix);
    struct wgsl_type *t =
        (struct wgsl_type *)type_struct(types, name, (struct wgsl_span){0}, members, 2);
    t->elem = key;
    struct entry *e = HEAP_NEW(types->heap, struct entry);
    *e = (struct entry){*bucket, t, prefix};
    *bucket = e;
    return t;
}

const struct wgsl_type *type_frexp_result(struct wgsl_types *types, const struct wgsl_type *t) {
    static const char *const names[] = {"fract", "exp"};
    static const char prefix[] = "__frexp_result";
    enum wgsl_type_kind integer =
        type_scalar(t)->kind == TY_ABSTRACT_FLOAT ? TY_ABSTRACT_INT : TY_I32;
    const struct wgsl_type *exponent = type_with_scalar(types, t, types->basic[integer]);
    return result_struct(types, prefix, t, names, (const struct wgsl_type *[]){t, exponent});
}

const struct wgsl_type *type_modf_result(struct wgsl_types *types, const struct wgsl_type *t) {
    static const char *const names[] = {"fract", "whole"};
    static const char prefix[] = "__modf_result";
    return result_struct(types, prefix, t, names, (const struct wgsl_type *[]){t, t});
}

const struct wgsl_type *type_exchange_result(struct wgsl_types *types, const struct wgsl_type *t) {
    static const char *const names[] = {"old_value", "exchanged"};
    static const char prefix[] = "__atomic_compare_exchange_result";
    return result_struct(types, prefix, t, names,
                         (const struct wgsl_type *[]){t, types->basic[TY_BOOL]});
}

/* -- relations -- */

const struct wgsl_type *type_column(struct wgsl_types *types, const struct wgsl_type *matrix) {
    return type_vec(types, matrix->elem, matrix->rows);
}

const struct wgsl_type *type_element(struct wgsl_types *types, const struct wgsl_type *t) {
    return t->kind == TY_MAT ? type_column(types, t) : t->elem;
}

const struct wgsl_type *type_with_scalar(struct wgsl_types *types, const struct wgsl_type *t,
                                         const struct wgsl_type *scalar) {
    switch (t->kind) {
    case TY_VEC:
        return type_vec(types, scalar, t->rows);
    case TY_MAT:
        return type_mat(types, scalar, t->columns, t->rows);
    case TY_ARRAY:
        return type_array(types, type_with_scalar(types, t->elem, scalar), t->count, t->count_expr,
                          NULL);
    default:
        return scalar;
    }
}

static const struct wgsl_type *concrete_struct(struct wgsl_types *types,
                                               const struct wgsl_type *t) {
    const struct wgsl_type *key = type_concrete(types, t->elem);
    return t->members[1].type == t->members[0].type ? type_modf_result(types, key)
                                                    : type_frexp_result(types, key);
}

const struct wgsl_type *type_concrete(struct wgsl_types *types, const struct wgsl_type *t) {
    if (!t->has_abstract)
        return t;
    if (t->kind == TY_STRUCT) /* only results of frexp and modf hold abstract numbers */
        return concrete_struct(types, t);
    if (t->kind == TY_ARRAY)
        return type_array(types, type_concrete(types, t->elem), t->count, t->count_expr, NULL);
    enum wgsl_type_kind kind = type_scalar(t)->kind == TY_ABSTRACT_INT ? TY_I32 : TY_F32;
    return type_with_scalar(types, t, types->basic[kind]);
}

static int scalar_rank(enum wgsl_type_kind from, enum wgsl_type_kind to) {
    if (from == to)
        return 0;
    if (from == TY_ABSTRACT_FLOAT)
        return to == TY_F32 ? 1 : to == TY_F16 ? 2 : -1;
    if (from != TY_ABSTRACT_INT)
        return -1;
    switch (to) {
    case TY_I32:
        return 3;
    case TY_U32:
        return 4;
    case TY_ABSTRACT_FLOAT:
        return 5;
    case TY_F32:
        return 6;
    case TY_F16:
        return 7;
    default:
        return -1;
    }
}

int type_conversion_rank(const struct wgsl_type *from, const struct wgsl_type *to) {
    if (from == to)
        return 0;
    if (!from->has_abstract || from->kind == TY_STRUCT)
        return from->kind == TY_STRUCT && to->kind == TY_STRUCT && from->has_abstract &&
                       from->elem && to->elem &&
                       strncmp(from->name, to->name, strlen("__frexp")) == 0
                   ? type_conversion_rank(from->elem, to->elem)
                   : -1;
    if (type_is_scalar(from))
        return scalar_rank(from->kind, to->kind);
    if (from->kind != to->kind || from->rows != to->rows || from->columns != to->columns ||
        from->count != to->count)
        return -1;
    return type_conversion_rank(from->elem, to->elem);
}
