/* Evaluation of constant operators, conversions and constructors. */
#include "sim/wgsl/eval.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

union wgsl_scalar *eval_leaves(struct wgsl_eval *eval, uint64_t count) {
    return heap_alloc(eval->heap, count > SIZE_MAX / sizeof(union wgsl_scalar)
                                      ? SIZE_MAX
                                      : (size_t)count * sizeof(union wgsl_scalar));
}

const struct wgsl_value *eval_value(struct wgsl_eval *eval, const struct wgsl_type *type,
                                    const union wgsl_scalar *leaves) {
    struct wgsl_value *value = HEAP_NEW(eval->heap, struct wgsl_value);
    value->type = type;
    value->leaves = leaves;
    return value;
}

void calc_error(struct wgsl_calc *calc, const char *format, ...) {
    if (calc->failed)
        return;
    calc->failed = true;
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    wgsl_diagnose(calc->eval->diagnostics, WGSL_ERROR, calc->span, "%s", text);
}

/* -- floating point -- */

double calc_round(struct wgsl_calc *calc, double x) {
    double rounded = calc->type->kind == TY_F32   ? value_round_f32(x)
                     : calc->type->kind == TY_F16 ? value_round_f16(x)
                                                  : x;
    if (isnan(rounded))
        calc_error(calc, "the result of this is not a number");
    else if (isinf(rounded))
        calc_error(calc, "the result of this, %g, is too large for '%s'", x, calc->type->name);
    return rounded;
}

double calc_add(struct wgsl_calc *calc, double a, double b) {
    return calc_round(calc, a + b);
}

double calc_sub(struct wgsl_calc *calc, double a, double b) {
    return calc_round(calc, a - b);
}

double calc_mul(struct wgsl_calc *calc, double a, double b) {
    return calc_round(calc, a * b);
}

double calc_div(struct wgsl_calc *calc, double a, double b) {
    if (b == 0) {
        calc_error(calc, "division by zero");
        return 0;
    }
    return calc_round(calc, a / b);
}

static double float_arithmetic(struct wgsl_calc *calc, enum wgsl_op op, double a, double b) {
    switch (op) {
    case OP_ADD:
        return calc_add(calc, a, b);
    case OP_SUB:
        return calc_sub(calc, a, b);
    case OP_MUL:
        return calc_mul(calc, a, b);
    case OP_DIV:
        return calc_div(calc, a, b);
    default:
        return calc_round(calc, fmod(a, b));
    }
}

/* -- integers -- */

static int64_t wrap(enum wgsl_type_kind kind, int64_t x) {
    return kind == TY_I32 ? (int32_t)x : kind == TY_U32 ? (int64_t)(uint32_t)x : x;
}

static int64_t divide(struct wgsl_calc *calc, enum wgsl_op op, int64_t a, int64_t b) {
    int64_t least = calc->type->kind == TY_I32 ? INT32_MIN : INT64_MIN;
    if (b == 0) {
        calc_error(calc, "integer division by zero");
        return 0;
    }
    if (b == -1 && a == least) {
        calc_error(calc, "the result of this division is too large for '%s'", calc->type->name);
        return 0;
    }
    return op == OP_DIV ? a / b : a % b;
}

static int64_t shift_left(struct wgsl_calc *calc, int64_t a, int64_t amount) {
    enum wgsl_type_kind kind = calc->type->kind;
    int64_t width = kind == TY_ABSTRACT_INT ? 64 : 32;
    if (amount >= width) {
        if (kind != TY_ABSTRACT_INT || a != 0)
            calc_error(calc, "shift by %" PRId64 " bits; '%s' has %" PRId64, amount,
                       calc->type->name, width);
        return 0;
    }
    int64_t result = wrap(kind, (int64_t)((uint64_t)a << amount));
    if (result >> amount != a)
        calc_error(calc, "this shift loses bits of '%s' that matter", calc->type->name);
    return result;
}

static int64_t shift_right(struct wgsl_calc *calc, int64_t a, int64_t amount) {
    if (calc->type->kind == TY_ABSTRACT_INT)
        return a >> (amount > 63 ? 63 : amount);
    if (amount >= 32)
        calc_error(calc, "shift by %" PRId64 " bits; '%s' has 32", amount, calc->type->name);
    return a >> (amount & 31);
}

static int64_t integer_arithmetic(struct wgsl_calc *calc, enum wgsl_op op, int64_t a, int64_t b) {
    int64_t result = 0;
    bool overflow = false;
    switch (op) {
    case OP_ADD:
        overflow = __builtin_add_overflow(a, b, &result);
        break;
    case OP_SUB:
        overflow = __builtin_sub_overflow(a, b, &result);
        break;
    case OP_MUL:
        overflow = __builtin_mul_overflow(a, b, &result);
        break;
    case OP_DIV:
    case OP_MOD:
        return divide(calc, op, a, b);
    case OP_AND:
        return a & b;
    case OP_OR:
        return a | b;
    case OP_XOR:
        return a ^ b;
    case OP_SHL:
        return shift_left(calc, a, b);
    default:
        return shift_right(calc, a, b);
    }
    if (overflow && calc->type->kind == TY_ABSTRACT_INT)
        calc_error(calc, "the result of this is too large for 'abstract-int'");
    return wrap(calc->type->kind, result);
}

/* -- one scalar -- */

static bool compare_floats(enum wgsl_op op, double a, double b) {
    switch (op) {
    case OP_EQ:
        return a == b;
    case OP_NE:
        return a != b;
    case OP_LT:
        return a < b;
    case OP_LE:
        return a <= b;
    case OP_GT:
        return a > b;
    default:
        return a >= b;
    }
}

static bool compare_integers(enum wgsl_op op, int64_t a, int64_t b) {
    switch (op) {
    case OP_EQ:
        return a == b;
    case OP_NE:
        return a != b;
    case OP_LT:
        return a < b;
    case OP_LE:
        return a <= b;
    case OP_GT:
        return a > b;
    default:
        return a >= b;
    }
}

union wgsl_scalar calc_binary(struct wgsl_calc *calc, enum wgsl_op op, union wgsl_scalar a,
                              union wgsl_scalar b) {
    union wgsl_scalar out = {0};
    bool is_float = type_is_float(calc->type);
    if (op >= OP_EQ && op <= OP_GE)
        out.i = is_float ? compare_floats(op, a.f, b.f) : compare_integers(op, a.i, b.i);
    else if (op == OP_LOGICAL_AND)
        out.i = a.i && b.i;
    else if (op == OP_LOGICAL_OR)
        out.i = a.i || b.i;
    else if (is_float)
        out.f = float_arithmetic(calc, op, a.f, b.f);
    else
        out.i = integer_arithmetic(calc, op, a.i, b.i);
    return out;
}

static union wgsl_scalar negate(const struct wgsl_type *scalar, union wgsl_scalar a) {
    union wgsl_scalar out;
    if (type_is_float(scalar))
        out.f = -a.f;
    else
        out.i = wrap(scalar->kind, (int64_t) - (uint64_t)a.i);
    return out;
}

/* -- operators -- */

const struct wgsl_value *eval_unary(struct wgsl_eval *eval, enum wgsl_op op,
                                    const struct wgsl_value *operand) {
    const struct wgsl_type *scalar = type_scalar(operand->type);
    uint64_t count = operand->type->leaf_count;
    union wgsl_scalar *leaves = eval_leaves(eval, count);
    for (uint64_t i = 0; i < count; i++) {
        union wgsl_scalar a = value_leaf(operand, i);
        if (op == OP_NEG)
            leaves[i] = negate(scalar, a);
        else
            leaves[i].i = op == OP_NOT ? !a.i : wrap(scalar->kind, ~a.i);
    }
    return eval_value(eval, operand->type, leaves);
}

/* Element (column, row) of a matrix; a vector is a matrix of one column or, as_row, of one row. */
static double element(const struct wgsl_value *v, uint32_t column, uint32_t row, bool as_row) {
    if (v->type->kind == TY_MAT)
        return value_leaf(v, (uint64_t)column * v->type->rows + row).f;
    return value_leaf(v, as_row ? column : row).f;
}

/* matrix * matrix, matrix * vector (a column) and vector (a row) * matrix. */
static const struct wgsl_value *
multiply_matrices(struct wgsl_eval *eval, const struct wgsl_value *a, const struct wgsl_value *b,
                  const struct wgsl_type *type, struct wgsl_span span) {
    struct wgsl_calc calc = {eval, a->type->elem, span, false};
    bool row = a->type->kind == TY_VEC;
    uint32_t inner = row ? a->type->rows : a->type->columns;
    uint32_t rows = row ? 1 : a->type->rows;
    uint32_t columns = b->type->kind == TY_VEC ? 1 : b->type->columns;
    union wgsl_scalar *leaves = eval_leaves(eval, type->leaf_count);
    for (uint32_t c = 0; c < columns; c++)
        for (uint32_t r = 0; r < rows; r++) {
            double sum = 0;
            for (uint32_t k = 0; k < inner; k++) {
                double product = calc_mul(&calc, element(a, k, r, true), element(b, c, k, false));
                sum = k ? calc_add(&calc, sum, product) : product;
            }
            leaves[c * rows + r].f = sum;
        }
    return calc.failed ? NULL : eval_value(eval, type, leaves);
}

const struct wgsl_value *eval_binary(struct wgsl_eval *eval, enum wgsl_op op,
                                     const struct wgsl_value *a, const struct wgsl_value *b,
                                     const struct wgsl_type *type, struct wgsl_span span) {
    bool a_scalar = type_is_scalar(a->type), b_scalar = type_is_scalar(b->type);
    if (op == OP_MUL && !a_scalar && !b_scalar &&
        (a->type->kind == TY_MAT || b->type->kind == TY_MAT))
        return multiply_matrices(eval, a, b, type, span);
    struct wgsl_calc calc = {eval, type_scalar(a->type), span, false};
    union wgsl_scalar *leaves = eval_leaves(eval, type->leaf_count);
    for (uint64_t i = 0; i < type->leaf_count; i++)
        leaves[i] = calc_binary(&calc, op, value_leaf(a, a_scalar ? 0 : i),
                                value_leaf(b, b_scalar ? 0 : i));
    return calc.failed ? NULL : eval_value(eval, type, leaves);
}

bool eval_check_right(struct wgsl_eval *eval, enum wgsl_op op, const struct wgsl_type *type,
                      const struct wgsl_value *right, struct wgsl_span span) {
    const struct wgsl_type *scalar = type_scalar(type);
    struct wgsl_calc calc = {eval, scalar, span, false};
    if (!type_is_integer(scalar))
        return true;
    for (uint64_t i = 0; i < right->type->leaf_count; i++) {
        int64_t b = value_leaf(right, i).i;
        if ((op == OP_DIV || op == OP_MOD) && b == 0)
            calc_error(&calc, "integer division by zero");
        if ((op == OP_SHL || op == OP_SHR) && b >= 32)
            calc_error(&calc, "shift by %" PRId64 " bits; '%s' has 32", b, scalar->name);
    }
    return !calc.failed;
}

/* -- conversions -- */

static void limits(enum wgsl_type_kind kind, int64_t *least, int64_t *most) {
    *least = kind == TY_I32 ? INT32_MIN : kind == TY_U32 ? 0 : INT64_MIN;
    *most = kind == TY_I32 ? INT32_MAX : kind == TY_U32 ? (int64_t)UINT32_MAX : INT64_MAX;
}

/* What is too large becomes the largest integer that the float's type has as well, as at run time.
 */
static int64_t float_to_integer(enum wgsl_type_kind to, const struct wgsl_type *from, double x) {
    int64_t least, most;
    limits(to, &least, &most);
    if (from->kind == TY_F32 && to != TY_ABSTRACT_INT)
        most = (int64_t)nextafterf((float)most, 0.0f);
    x = trunc(x);
    return x <= (double)least ? least : x >= (double)most ? most : (int64_t)x;
}

static int64_t integer_to_integer(struct wgsl_calc *calc, const struct wgsl_type *from, int64_t x) {
    int64_t least, most;
    limits(calc->type->kind, &least, &most);
    if (type_is_abstract(from) && (x < least || x > most))
        calc_error(calc, "%" PRId64 " does not fit in '%s'", x, calc->type->name);
    return wrap(calc->type->kind, x);
}

/* A scalar of type from in the calculation's type. */
static union wgsl_scalar convert(struct wgsl_calc *calc, const struct wgsl_type *from,
                                 union wgsl_scalar x) {
    union wgsl_scalar out = {0};
    const struct wgsl_type *to = calc->type;
    if (from == to)
        return x;
    if (to->kind == TY_BOOL)
        out.i = type_is_float(from) ? x.f != 0 : x.i != 0;
    else if (type_is_float(to))
        out.f = calc_round(calc, type_is_float(from) ? x.f : (double)x.i);
    else if (type_is_float(from))
        out.i = float_to_integer(to->kind, from, x.f);
    else
        out.i = integer_to_integer(calc, from, x.i);
    return out;
}

const struct wgsl_value *eval_convert(struct wgsl_eval *eval, const struct wgsl_value *value,
                                      const struct wgsl_type *type, struct wgsl_span span) {
    if (value->type == type || !value->leaves)
        return eval_value(eval, type, value->leaves);
    struct wgsl_calc calc = {eval, NULL, span, false};
    union wgsl_scalar *leaves = eval_leaves(eval, type->leaf_count);
    for (uint64_t i = 0; i < type->leaf_count; i++) {
        calc.type = value_leaf_type(type, i);
        leaves[i] = convert(&calc, value_leaf_type(value->type, i), value_leaf(value, i));
    }
    return calc.failed ? NULL : eval_value(eval, type, leaves);
}

/* -- construction and decomposition -- */

const struct wgsl_value *eval_construct(struct wgsl_eval *eval, enum wgsl_construct how,
                                        const struct wgsl_value *const *args, uint32_t arg_count,
                                        const struct wgsl_type *type, struct wgsl_span span) {
    if (how == CONSTRUCT_ZERO)
        return eval_value(eval, type, NULL);
    if (how == CONSTRUCT_CONVERT)
        return eval_convert(eval, args[0], type, span);
    bool all_zero = true;
    for (uint32_t i = 0; i < arg_count; i++)
        all_zero &= args[i]->leaves == NULL;
    if (all_zero)
        return eval_value(eval, type, NULL);
    union wgsl_scalar *leaves = eval_leaves(eval, type->leaf_count);
    if (how == CONSTRUCT_SPLAT) {
        for (uint64_t i = 0; i < type->leaf_count; i++)
            leaves[i] = value_leaf(args[0], 0);
        return eval_value(eval, type, leaves);
    }
    uint64_t next = 0;
    for (uint32_t i = 0; i < arg_count; i++)
        for (uint64_t k = 0; k < args[i]->type->leaf_count && next < type->leaf_count; k++)
            leaves[next++] = value_leaf(args[i], k);
    return eval_value(eval, type, leaves);
}

static const struct wgsl_value *part(struct wgsl_eval *eval, const struct wgsl_value *value,
                                     const struct wgsl_type *type, uint64_t first) {
    return eval_value(eval, type, value->leaves ? value->leaves + first : NULL);
}

const struct wgsl_value *eval_index(struct wgsl_eval *eval, const struct wgsl_value *value,
                                    uint64_t index) {
    const struct wgsl_type *elem = type_element(eval->types, value->type);
    return part(eval, value, elem, index * elem->leaf_count);
}

const struct wgsl_value *eval_member(struct wgsl_eval *eval, const struct wgsl_value *value,
                                     uint32_t member) {
    return part(eval, value, value->type->members[member].type,
                value_member_leaf(value->type, member));
}

const struct wgsl_value *eval_swizzle(struct wgsl_eval *eval, const struct wgsl_value *value,
                                      const uint8_t *components, const struct wgsl_type *type) {
    if (!value->leaves)
        return eval_value(eval, type, NULL);
    union wgsl_scalar *leaves = eval_leaves(eval, type->leaf_count);
    for (uint64_t i = 0; i < type->leaf_count; i++)
        leaves[i] = value_leaf(value, components[i]);
    return eval_value(eval, type, leaves);
}
