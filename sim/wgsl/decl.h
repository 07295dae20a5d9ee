/* Module-scope declarations as the parser found them. */
#ifndef WGSIM_WGSL_DECL_H
#define WGSIM_WGSL_DECL_H

#include "sim/wgsl/ast.h"
#include "sim/wgsl/heap.h"

enum wgsl_decl_kind {
    DECL_VARIABLE,
    DECL_FUNCTION,
    DECL_STRUCT,
    DECL_ALIAS,
    DECL_CONST_ASSERT,
};

/* A struct member as parsed. */
struct wgsl_field {
    const char *name;
    struct wgsl_span span;
    struct wgsl_expr *type_expr;
    struct wgsl_attribute *attributes;
};

struct wgsl_decl {
    struct wgsl_decl *next; /* as written */
    enum wgsl_decl_kind kind;
    const char *name;      /* NULL: DECL_CONST_ASSERT */
    struct wgsl_span span; /* of the name, or of the assertion */
    struct wgsl_variable *variable;
    struct wgsl_function *function;
    struct wgsl_field *fields; /* DECL_STRUCT */
    uint32_t field_count;
    struct wgsl_expr *expr; /* DECL_ALIAS: the type; DECL_CONST_ASSERT: the condition */

    uint32_t index; /* in the order written */

    const struct wgsl_type
        *type;               /* DECL_STRUCT and DECL_ALIAS once resolved, NULL after an error */
    bool broken;             /* part of a cycle: not resolved */
    struct wgsl_decl *chain; /* of a bucket in the table of names */
};

/* Module-scope names. */
enum { DECL_BUCKETS = 1024 };
struct wgsl_names {
    struct wgsl_decl *buckets[DECL_BUCKETS];
};

struct wgsl_decl *names_find(const struct wgsl_names *names, const char *name);
/* Returns the declaration that already has the name, or NULL after adding this one. */
struct wgsl_decl *names_add(struct wgsl_names *names, struct wgsl_decl *decl);

/* Checks that names are declared once and puts declarations in an order in which each comes after
 * those it needs; reports cycles. Returns the array of them. */
struct wgsl_decl **wgsl_sort(struct wgsl_module *module, struct wgsl_names *names,
                             struct wgsl_heap *heap, struct wgsl_diagnostics *diagnostics,
                             uint32_t *count);

#endif
