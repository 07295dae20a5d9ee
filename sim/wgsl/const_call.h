/* One call of a builtin function with constant arguments. */
#ifndef WGSIM_WGSL_CONST_CALL_H
#define WGSIM_WGSL_CONST_CALL_H

#include "sim/wgsl/eval.h"

/* The arguments, and where the result goes. */
struct wgsl_const_call {
    struct wgsl_calc calc; /* type: the scalar type of the first argument */
    enum wgsl_builtin builtin;
    const struct wgsl_value *const *args;
    uint32_t arg_count;
    const struct wgsl_type *type; /* of the result */
    union wgsl_scalar *out;       /* its leaves, all zero */
};

/* Component i of an argument; a scalar has it in all components. */
static inline union wgsl_scalar const_arg(const struct wgsl_const_call *c, uint32_t n, uint64_t i) {
    return value_leaf(c->args[n], c->args[n]->type->leaf_count == 1 ? 0 : i);
}

static inline double const_argf(const struct wgsl_const_call *c, uint32_t n, uint64_t i) {
    return const_arg(c, n, i).f;
}

static inline uint64_t const_width(const struct wgsl_const_call *c, uint32_t n) {
    return c->args[n]->type->leaf_count;
}

/* Each evaluates some of the functions, and returns false for the others. */
bool const_eval_vectors(struct wgsl_const_call *c);
bool const_eval_packing(struct wgsl_const_call *c);
bool const_eval_bits(struct wgsl_const_call *c);

/* offset and count of extractBits and insertBits, arguments n and n + 1; false after reporting that
 * they go beyond the word. */
bool const_bit_range(struct wgsl_const_call *c, uint32_t n, uint32_t *offset, uint32_t *count);
/* x rounded to f16, reported if it is too large. */
double const_quantize(struct wgsl_const_call *c, double x);

#endif
