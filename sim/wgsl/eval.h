/* Evaluation of constant expressions, one operation at a time. */
#ifndef WGSIM_WGSL_EVAL_H
#define WGSIM_WGSL_EVAL_H

#include "sim/wgsl/ast.h"
#include "sim/wgsl/heap.h"

/* All functions here return NULL after reporting an error: a result that its type cannot hold, a
 * division by zero, an argument outside of a function's domain. */
struct wgsl_eval {
    struct wgsl_heap *heap;
    struct wgsl_types *types;
    struct wgsl_diagnostics *diagnostics;
};

const struct wgsl_value *eval_unary(struct wgsl_eval *eval, enum wgsl_op op,
                                    const struct wgsl_value *operand);
/* type: of the result. Operands have their final types. */
const struct wgsl_value *eval_binary(struct wgsl_eval *eval, enum wgsl_op op,
                                     const struct wgsl_value *a, const struct wgsl_value *b,
                                     const struct wgsl_type *type, struct wgsl_span span);
/* Value converted scalar by scalar. The shapes agree. */
const struct wgsl_value *eval_convert(struct wgsl_eval *eval, const struct wgsl_value *value,
                                      const struct wgsl_type *type, struct wgsl_span span);
const struct wgsl_value *eval_builtin(struct wgsl_eval *eval, enum wgsl_builtin builtin,
                                      const struct wgsl_value *const *args, uint32_t arg_count,
                                      const struct wgsl_type *type, struct wgsl_span span);
/* Arguments have their final types. */
const struct wgsl_value *eval_construct(struct wgsl_eval *eval, enum wgsl_construct how,
                                        const struct wgsl_value *const *args, uint32_t arg_count,
                                        const struct wgsl_type *type, struct wgsl_span span);
/* index: checked to be inside. */
const struct wgsl_value *eval_index(struct wgsl_eval *eval, const struct wgsl_value *value,
                                    uint64_t index);
const struct wgsl_value *eval_member(struct wgsl_eval *eval, const struct wgsl_value *value,
                                     uint32_t member);
const struct wgsl_value *eval_swizzle(struct wgsl_eval *eval, const struct wgsl_value *value,
                                      const uint8_t *components, const struct wgsl_type *type);

/* Whether an operation with a constant right operand is an error whatever the left one is; reports
 * it. type: of the left operand. */
bool eval_check_right(struct wgsl_eval *eval, enum wgsl_op op, const struct wgsl_type *type,
                      const struct wgsl_value *right, struct wgsl_span span);
/* The same for builtin functions with some constant arguments; NULL: not constant. type: of the
 * result. */
bool eval_check_builtin(struct wgsl_eval *eval, enum wgsl_builtin builtin,
                        const struct wgsl_value *const *args, uint32_t arg_count,
                        const struct wgsl_type *type, struct wgsl_span span);

/* -- for evaluation's own files -- */

/* One scalar operation after the other in one type; failed once something went wrong. */
struct wgsl_calc {
    struct wgsl_eval *eval;
    const struct wgsl_type *type; /* scalar */
    struct wgsl_span span;
    bool failed;
};

union wgsl_scalar *eval_leaves(struct wgsl_eval *eval, uint64_t count);
const struct wgsl_value *eval_value(struct wgsl_eval *eval, const struct wgsl_type *type,
                                    const union wgsl_scalar *leaves);
void calc_error(struct wgsl_calc *calc, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* x rounded to the calculation's floating-point type; fails when it is not finite. */
double calc_round(struct wgsl_calc *calc, double x);
double calc_add(struct wgsl_calc *calc, double a, double b);
double calc_sub(struct wgsl_calc *calc, double a, double b);
double calc_mul(struct wgsl_calc *calc, double a, double b);
double calc_div(struct wgsl_calc *calc, double a, double b);
union wgsl_scalar calc_binary(struct wgsl_calc *calc, enum wgsl_op op, union wgsl_scalar a,
                              union wgsl_scalar b);

#endif
