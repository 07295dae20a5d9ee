/* WGSL types, with their memory layout. */
#ifndef WGSIM_WGSL_TYPE_H
#define WGSIM_WGSL_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/wgsl/source.h"

struct wgsl_expr;
struct wgsl_variable;

enum wgsl_type_kind {
    TY_VOID, /* "type" of a call to a function without a result */
    TY_BOOL,
    TY_ABSTRACT_INT,
    TY_ABSTRACT_FLOAT,
    TY_I32,
    TY_U32,
    TY_F32,
    TY_F16,
    TY_VEC,    /* elem, rows */
    TY_MAT,    /* elem (scalar), columns, rows */
    TY_ARRAY,  /* elem, and count, count_expr or neither */
    TY_STRUCT, /* members */
    TY_ATOMIC, /* elem */
    TY_PTR,    /* elem, space, access */
    TY_REF,    /* elem, space, access: what an expression naming memory has */
    TY_SAMPLER,
    TY_SAMPLER_COMPARISON,
    TY_TEXTURE, /* texture, dim; elem (sampled type) or format and access */
    TY_COUNT,
};

enum wgsl_space {
    AS_NONE,
    AS_FUNCTION,
    AS_PRIVATE,
    AS_WORKGROUP,
    AS_UNIFORM,
    AS_STORAGE,
    AS_HANDLE,
};

enum wgsl_access { AM_NONE, AM_READ, AM_WRITE, AM_READ_WRITE };

enum wgsl_texture_kind {
    TEXTURE_SAMPLED,
    TEXTURE_MULTISAMPLED,
    TEXTURE_DEPTH,
    TEXTURE_DEPTH_MULTISAMPLED,
    TEXTURE_STORAGE,
    TEXTURE_EXTERNAL,
};

enum wgsl_texture_dim { DIM_1D, DIM_2D, DIM_2D_ARRAY, DIM_3D, DIM_CUBE, DIM_CUBE_ARRAY };

enum wgsl_texel_format {
#define FORMAT(name, channel, channels, bits) FORMAT_##name,
#include "sim/wgsl/format.def"
#undef FORMAT
    FORMAT_COUNT,
};

/* Values of @builtin. */
enum wgsl_builtin_value {
    BV_NONE,
#define BUILTIN_VALUE(name) BV_##name,
#include "sim/wgsl/builtin_value.def"
#undef BUILTIN_VALUE
    BV_COUNT,
};

enum wgsl_interpolation {
    INTERPOLATE_NONE,
    INTERPOLATE_PERSPECTIVE,
    INTERPOLATE_LINEAR,
    INTERPOLATE_FLAT
};
enum wgsl_sampling {
    SAMPLING_NONE,
    SAMPLING_CENTER,
    SAMPLING_CENTROID,
    SAMPLING_SAMPLE,
    SAMPLING_FIRST,
    SAMPLING_EITHER,
};

/* Input/output attributes of a parameter, result or struct member. */
struct wgsl_io {
    enum wgsl_builtin_value builtin;
    bool has_location, has_blend_src, invariant;
    uint32_t location, blend_src;
    enum wgsl_interpolation interpolation;
    enum wgsl_sampling sampling;
    struct wgsl_span span; /* of the first of the attributes */
};

struct wgsl_member {
    const char *name;
    const struct wgsl_type *type;
    struct wgsl_span span; /* of the name */
    uint32_t index;
    uint64_t offset, align, size; /* with @align and @size in force; size before padding */
    struct wgsl_io io;
};

/* Types are interned: two are the same type exactly if they are the same pointer. */
struct wgsl_type {
    enum wgsl_type_kind kind;
    const struct wgsl_type *elem;
    uint32_t rows;                /* components of a vector, rows of a matrix */
    uint32_t columns;             /* of a matrix */
    uint64_t count;               /* elements of an array; 0: runtime-sized or override-sized */
    struct wgsl_expr *count_expr; /* of an override-sized array, else NULL */
    const char *name;             /* as the author would write it; never NULL */

    const struct wgsl_member *members;
    uint32_t member_count;
    struct wgsl_span span; /* of a struct's name */

    enum wgsl_space space;
    enum wgsl_access access;
    enum wgsl_texture_kind texture;
    enum wgsl_texture_dim dim;
    enum wgsl_texel_format format;

    /* Layout in bytes; 0 for types without one. Size and stride of a runtime- or override-sized
     * array: size 0, stride right; of a struct that ends in a runtime-sized array: size up to its
     * first element. bool has size and align 4 (not host-shareable, but it lives in workgroup
     * memory). */
    uint64_t size, align, stride;

    bool constructible;   /* can be built, loaded, stored in variables */
    bool storable;        /* can be the store type of a variable */
    bool host_shareable;  /* can lie in uniform and storage buffers */
    bool fixed_footprint; /* size known at pipeline creation */
    bool creation_fixed;  /* size known at shader creation */
    bool has_atomic;      /* is or holds an atomic */
    bool has_abstract;    /* is or holds an abstract number */
    uint32_t depth;       /* levels of nesting; a scalar has 1 */
    uint64_t leaf_count;  /* scalars in a value; saturates */
};

struct wgsl_heap;
struct wgsl_types; /* the table that interns them */

struct wgsl_types *types_new(struct wgsl_heap *heap);

bool type_is_integer(const struct wgsl_type *t);  /* scalar integer, abstract too */
bool type_is_float(const struct wgsl_type *t);    /* scalar float, abstract too */
bool type_is_numeric(const struct wgsl_type *t);  /* scalar number, abstract too */
bool type_is_scalar(const struct wgsl_type *t);   /* number or bool */
bool type_is_abstract(const struct wgsl_type *t); /* scalar abstract number */
bool type_is_handle(const struct wgsl_type *t);   /* texture or sampler */
/* Element of a vector, matrix (a column: see type_column) or the scalar itself. */
const struct wgsl_type *type_scalar(const struct wgsl_type *t);
/* What a pointer or reference points at, or the type itself. */
const struct wgsl_type *type_unref(const struct wgsl_type *t);

const struct wgsl_type *type_basic(struct wgsl_types *types, enum wgsl_type_kind kind);
const struct wgsl_type *type_vec(struct wgsl_types *types, const struct wgsl_type *elem,
                                 uint32_t rows);
const struct wgsl_type *type_mat(struct wgsl_types *types, const struct wgsl_type *elem,
                                 uint32_t columns, uint32_t rows);
/* count 0 and count_expr NULL: runtime-sized. key: the override that alone is the count, if so. */
const struct wgsl_type *type_array(struct wgsl_types *types, const struct wgsl_type *elem,
                                   uint64_t count, struct wgsl_expr *count_expr,
                                   const struct wgsl_variable *key);
const struct wgsl_type *type_atomic(struct wgsl_types *types, const struct wgsl_type *elem);
const struct wgsl_type *type_ptr(struct wgsl_types *types, enum wgsl_space space,
                                 const struct wgsl_type *elem, enum wgsl_access access);
const struct wgsl_type *type_ref(struct wgsl_types *types, enum wgsl_space space,
                                 const struct wgsl_type *elem, enum wgsl_access access);
const struct wgsl_type *type_texture(struct wgsl_types *types, enum wgsl_texture_kind kind,
                                     enum wgsl_texture_dim dim, const struct wgsl_type *elem,
                                     enum wgsl_texel_format format, enum wgsl_access access);
/* A new type, unlike any other: lays the members out (offset, index; size and align where they are
 * 0) and derives the rest. members becomes the type's. */
const struct wgsl_type *type_struct(struct wgsl_types *types, const char *name,
                                    struct wgsl_span span, struct wgsl_member *members,
                                    uint32_t member_count);
/* What frexp, modf and atomicCompareExchangeWeak return for an argument of type t. */
const struct wgsl_type *type_frexp_result(struct wgsl_types *types, const struct wgsl_type *t);
const struct wgsl_type *type_modf_result(struct wgsl_types *types, const struct wgsl_type *t);
const struct wgsl_type *type_exchange_result(struct wgsl_types *types, const struct wgsl_type *t);
/* t with its abstract numbers made i32 and f32. */
const struct wgsl_type *type_concrete(struct wgsl_types *types, const struct wgsl_type *t);
/* t, a scalar, vector, matrix or array of these, with scalar in the place of its own scalars. */
const struct wgsl_type *type_with_scalar(struct wgsl_types *types, const struct wgsl_type *t,
                                         const struct wgsl_type *scalar);
/* How well values of a type turn into another by themselves; 0: the same type, negative: they
 * don't. */
int type_conversion_rank(const struct wgsl_type *from, const struct wgsl_type *to);
/* The type of one column. */
const struct wgsl_type *type_column(struct wgsl_types *types, const struct wgsl_type *matrix);
/* The array's element, the matrix's column, the vector's component. */
const struct wgsl_type *type_element(struct wgsl_types *types, const struct wgsl_type *t);

const char *space_name(enum wgsl_space space);
const char *access_name(enum wgsl_access access);
const char *format_name(enum wgsl_texel_format format);
uint32_t format_bytes(enum wgsl_texel_format format); /* of a texel */
const char *builtin_value_name(enum wgsl_builtin_value value);
/* Type of the channels in the shader: TY_F32, TY_I32 or TY_U32. */
enum wgsl_type_kind format_channel(enum wgsl_texel_format format);

#endif
