/* Types and constant values of a shader as C. */
#include "sim/wgsl/emit_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool emit_is_half(const struct wgsl_type *type) {
    return type->kind != TY_STRUCT && type->kind != TY_ARRAY && type->kind != TY_VOID &&
           type_scalar(type)->kind == TY_F16;
}

static char type_letter(const struct wgsl_type *type) {
    switch (type->kind) {
    case TY_BOOL:
        return 'b';
    case TY_I32:
    case TY_ABSTRACT_INT:
        return 'i';
    case TY_U32:
        return 'u';
    case TY_F16:
        return 'h';
    default:
        return 'f';
    }
}

static const char *scalar_name(const struct wgsl_type *type) {
    switch (type->kind) {
    case TY_VOID:
        return "void";
    case TY_BOOL:
        return "bool";
    case TY_I32:
    case TY_ABSTRACT_INT:
        return "i32";
    case TY_U32:
    case TY_TEXTURE: /* the number of its variable */
    case TY_SAMPLER:
    case TY_SAMPLER_COMPARISON:
        return "u32";
    case TY_F16:
        return "f16";
    default:
        return "f32";
    }
}

static const char *vector_name(struct emit *e, const struct wgsl_type *type, char letter) {
    if (type->kind == TY_VEC) {
        return emit_format(e, "vec%u%c", type->rows, letter);
    }
    return emit_format(e, "mat%ux%u%c", type->columns, type->rows, letter);
}

/* The result structures of frexp, modf and atomicCompareExchangeWeak are declared in the headers.
 */
static const char *result_struct(struct emit *e, const struct wgsl_type *type) {
    const struct wgsl_type *first = type->members[0].type;
    if (strstr(type->name, "atomic_compare_exchange")) {
        return emit_format(e, "struct wgsl_exchange_%s", scalar_name(first));
    }
    return emit_format(e, "struct %s_%s", strstr(type->name, "frexp") ? "frexp" : "modf",
                       emit_family(e, first));
}

static const char *declare_struct(struct emit *e, const struct wgsl_type *type) {
    const char *members = "";
    for (uint32_t k = 0; k < type->member_count; k++) {
        members = emit_format(e, "%s    %s %s;\n", members, emit_type(e, type->members[k].type),
                              emit_member_name(e, type->members[k].name));
    }
    const char *name = emit_global_name(e, type->name);
    buf_printf(&e->types, "typedef struct {\n%s} %s;\n\n", members, name);
    return name;
}

static const char *declare_array(struct emit *e, const struct wgsl_type *type) {
    const char *element = emit_type(e, type->elem);
    unsigned long long count = wgsl_pipeline_count(e->pipeline, type);
    const char *space = strrchr(element, ' ');
    const char *name = emit_format(e, "array%llu_%s", count, space ? space + 1 : element);
    buf_printf(&e->types, "typedef struct {\n    %s e[%llu];\n} %s;\n\n", element, count, name);
    return name;
}

const char *emit_type(struct emit *e, const struct wgsl_type *type) {
    switch (type->kind) {
    case TY_VEC:
    case TY_MAT:
        return vector_name(e, type, type_letter(type_scalar(type)));
    case TY_ARRAY:
    case TY_STRUCT: {
        const char **known = emit_declared(e, type, DECLARED_TYPE);
        if (known && !*known) {
            *known = type->kind == TY_ARRAY ? declare_array(e, type)
                     : type->name[0] == '_' ? result_struct(e, type)
                                            : declare_struct(e, type);
        }
        return known ? *known : "";
    }
    case TY_ATOMIC:
        return scalar_name(type->elem);
    case TY_PTR:
        return type->space == AS_FUNCTION || type->space == AS_PRIVATE
                   ? emit_format(e, "%s *", emit_type(e, type->elem))
                   : "struct wgsl_pointer";
    default:
        return scalar_name(type);
    }
}

const char *emit_family(struct emit *e, const struct wgsl_type *type) {
    if (type->kind == TY_VEC || type->kind == TY_MAT) {
        char letter = type_letter(type_scalar(type));
        return vector_name(e, type, letter == 'h' ? 'f' : letter);
    }
    return type->kind == TY_F16 ? "f32" : scalar_name(type);
}

/* f16 lives in words, a vec3 in four. */
uint32_t emit_stack_bytes(struct emit *e, const struct wgsl_type *type) {
    uint64_t bytes = (2 * wgsl_pipeline_size(e->pipeline, type) + 31) / 16 * 16;
    return bytes < UINT32_MAX / 4 ? (uint32_t)bytes : UINT32_MAX / 4;
}

const char *emit_zero(struct emit *e, const struct wgsl_type *type) {
    switch (type->kind) {
    case TY_BOOL:
        return "false";
    case TY_I32:
        return "0";
    case TY_U32:
        return "0u";
    case TY_F32:
    case TY_F16:
        return "0.0f";
    default:
        return emit_format(e, "(%s){0}", emit_type(e, type));
    }
}

/* The shortest decimal that is read back as the same f32. */
static void float_literal(struct buf *out, double value) {
    char text[48];
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtof(text, NULL) == (float)value) {
            break;
        }
    }
    buf_printf(out, "%s%sf", text, strpbrk(text, ".e") ? "" : ".0");
}

static void scalar_literal(struct buf *out, const struct wgsl_type *type,
                           union wgsl_scalar scalar) {
    switch (type->kind) {
    case TY_BOOL:
        buf_puts(out, scalar.i ? "true" : "false");
        break;
    case TY_U32:
        buf_printf(out, "%uu", (unsigned)scalar.i);
        break;
    case TY_F32:
    case TY_F16:
    case TY_ABSTRACT_FLOAT:
        float_literal(out, scalar.f);
        break;
    default:
        if ((int32_t)scalar.i == INT32_MIN) {
            buf_puts(out, "INT32_MIN");
        } else {
            buf_printf(out, "%d", (int)scalar.i);
        }
    }
}

/* One component of a vector; those of bool are 0 or -1. */
static void lane_literal(struct buf *out, const struct wgsl_type *type, union wgsl_scalar scalar) {
    if (type->kind == TY_BOOL) {
        buf_puts(out, scalar.i ? "-1" : "0");
    } else {
        scalar_literal(out, type, scalar);
    }
}

static void literal_lanes(struct buf *out, const struct wgsl_type *elem, uint32_t count,
                          const struct wgsl_value *value, uint64_t *leaf) {
    buf_puts(out, "{");
    for (uint32_t k = 0; k < count; k++) {
        buf_puts(out, k ? ", " : "");
        lane_literal(out, elem, value_leaf(value, (*leaf)++));
    }
    buf_puts(out, "}");
}

/* The value of a type as an initialiser; leaf is the first scalar of it and is moved behind the
 * last. */
static void initialiser(struct emit *e, struct buf *out, const struct wgsl_type *type,
                        const struct wgsl_value *value, uint64_t *leaf) {
    if (type->kind == TY_VEC) {
        literal_lanes(out, type->elem, type->rows, value, leaf);
    } else if (type->kind == TY_MAT) {
        buf_puts(out, "{{");
        for (uint32_t k = 0; k < type->columns; k++) {
            buf_puts(out, k ? ", " : "");
            literal_lanes(out, type->elem, type->rows, value, leaf);
        }
        buf_puts(out, "}}");
    } else if (type->kind == TY_ARRAY) {
        uint64_t count = wgsl_pipeline_count(e->pipeline, type);
        buf_puts(out, "{{");
        for (uint64_t k = 0; k < count; k++) {
            buf_puts(out, k ? ", " : "");
            initialiser(e, out, type->elem, value, leaf);
        }
        buf_puts(out, "}}");
    } else if (type->kind == TY_STRUCT) {
        buf_puts(out, "{");
        for (uint32_t k = 0; k < type->member_count; k++) {
            buf_puts(out, k ? ", " : "");
            initialiser(e, out, type->members[k].type, value, leaf);
        }
        buf_puts(out, "}");
    } else {
        scalar_literal(out, type, value_leaf(value, (*leaf)++));
    }
}

/* A constant array lives once in the file, so that an index does not copy it. */
static const char *value_table(struct emit *e, const struct wgsl_value *value) {
    const char **known = emit_declared(e, value, DECLARED_TABLE);
    if (known && !*known) {
        uint64_t leaf = 0;
        const char *type = emit_type(e, value->type);
        *known = emit_format(e, "table%u", ++e->table_count);
        buf_printf(&e->tables, "static const %s %s = ", type, *known);
        initialiser(e, &e->tables, value->type, value, &leaf);
        buf_puts(&e->tables, ";\n");
    }
    return known ? *known : "";
}

const char *emit_braces(struct emit *e, const struct wgsl_value *value) {
    struct buf text = {0};
    uint64_t leaf = 0;
    initialiser(e, &text, value->type, value, &leaf);
    const char *copy = emit_format(e, "%s", text.data ? text.data : "");
    e->failed |= text.failed;
    buf_release(&text);
    return copy;
}

struct emit_text emit_value(struct emit *e, const struct wgsl_value *value) {
    const struct wgsl_type *type = value->type;
    struct emit_text text = {.level = LEVEL_PRIMARY, .stable = true};
    if (!value->leaves && !type_is_scalar(type)) {
        text.c = emit_zero(e, type);
    } else if (type->kind == TY_ARRAY) {
        text.c = value_table(e, value);
    } else {
        const char *literal = emit_braces(e, value);
        text.c =
            type_is_scalar(type) ? literal : emit_format(e, "(%s)%s", emit_type(e, type), literal);
        text.level = literal[0] == '-' ? LEVEL_UNARY : LEVEL_PRIMARY;
    }
    return text;
}
