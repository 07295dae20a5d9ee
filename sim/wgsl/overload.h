/* Overload resolution. */
#ifndef WGSIM_WGSL_OVERLOAD_H
#define WGSIM_WGSL_OVERLOAD_H

#include "sim/wgsl/ast.h"
#include "sim/wgsl/heap.h"

enum { OVERLOAD_ARGUMENTS = 8 };

/* What a use of an operator or function turned out to mean. */
struct wgsl_match {
    const struct wgsl_type *params[OVERLOAD_ARGUMENTS]; /* what each argument converts to */
    const struct wgsl_type *result;
};

/* constant: all arguments are constants, so that abstract numbers may stay abstract. */
struct wgsl_candidates {
    struct wgsl_types *types;
    const struct wgsl_type *const *args; /* no references */
    uint32_t arg_count;
    bool constant;
};

/* All return false when nothing fits. */
bool overload_operator(const struct wgsl_candidates *use, enum wgsl_op op,
                       struct wgsl_match *match);
bool overload_builtin(const struct wgsl_candidates *use, enum wgsl_builtin builtin,
                      struct wgsl_match *match);
bool overload_texture(const struct wgsl_candidates *use, enum wgsl_builtin builtin,
                      struct wgsl_match *match);

/* The type that all of a list of scalars turn into: the first in order of preference. allowed: bits
 * of SCALAR_BIT. NULL if there is none. */
#define SCALAR_BIT(kind) (1u << (kind))
const struct wgsl_type *overload_common(struct wgsl_types *types,
                                        const struct wgsl_type *const *scalars, uint32_t count,
                                        unsigned allowed, bool constant);

#endif
