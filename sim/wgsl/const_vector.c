/* Builtin functions on constant vectors and matrices. */
#include <math.h>

#include "sim/wgsl/const_call.h"

static double dot(struct wgsl_const_call *c, uint32_t a, uint32_t b) {
    double sum = 0;
    for (uint64_t i = 0; i < const_width(c, a); i++) {
        double product = calc_mul(&c->calc, const_argf(c, a, i), const_argf(c, b, i));
        sum = i ? calc_add(&c->calc, sum, product) : product;
    }
    return sum;
}

static int64_t dot_integers(struct wgsl_const_call *c) {
    union wgsl_scalar sum = {0};
    for (uint64_t i = 0; i < const_width(c, 0); i++)
        sum = calc_binary(&c->calc, OP_ADD, sum,
                          calc_binary(&c->calc, OP_MUL, const_arg(c, 0, i), const_arg(c, 1, i)));
    return sum.i;
}

static double vector_length(struct wgsl_const_call *c) {
    if (const_width(c, 0) == 1)
        return fabs(const_argf(c, 0, 0));
    return calc_round(&c->calc, sqrt(dot(c, 0, 0)));
}

static double distance(struct wgsl_const_call *c) {
    double sum = 0;
    for (uint64_t i = 0; i < const_width(c, 0); i++) {
        double d = calc_sub(&c->calc, const_argf(c, 0, i), const_argf(c, 1, i));
        if (const_width(c, 0) == 1)
            return fabs(d);
        sum = calc_add(&c->calc, sum, calc_mul(&c->calc, d, d));
    }
    return calc_round(&c->calc, sqrt(sum));
}

static void normalize(struct wgsl_const_call *c) {
    double length = vector_length(c);
    if (length == 0)
        calc_error(&c->calc, "a vector of length 0 cannot be normalized");
    for (uint64_t i = 0; i < const_width(c, 0) && !c->calc.failed; i++)
        c->out[i].f = calc_div(&c->calc, const_argf(c, 0, i), length);
}

static void cross(struct wgsl_const_call *c) {
    struct wgsl_calc *k = &c->calc;
    for (uint64_t i = 0; i < 3; i++) {
        uint64_t u = (i + 1) % 3, v = (i + 2) % 3;
        c->out[i].f = calc_sub(k, calc_mul(k, const_argf(c, 0, u), const_argf(c, 1, v)),
                               calc_mul(k, const_argf(c, 0, v), const_argf(c, 1, u)));
    }
}

static void face_forward(struct wgsl_const_call *c) {
    double sign = dot(c, 1, 2) < 0 ? 1 : -1;
    for (uint64_t i = 0; i < const_width(c, 0); i++)
        c->out[i].f = sign * const_argf(c, 0, i);
}

static void reflect(struct wgsl_const_call *c) {
    struct wgsl_calc *k = &c->calc;
    double twice = calc_mul(k, 2, dot(c, 1, 0));
    for (uint64_t i = 0; i < const_width(c, 0); i++)
        c->out[i].f = calc_sub(k, const_argf(c, 0, i), calc_mul(k, twice, const_argf(c, 1, i)));
}

static void refract(struct wgsl_const_call *c) {
    struct wgsl_calc *k = &c->calc;
    double ratio = const_argf(c, 2, 0), d = dot(c, 1, 0);
    double rest = calc_sub(k, 1, calc_mul(k, d, d));
    double under = calc_sub(k, 1, calc_mul(k, calc_mul(k, ratio, ratio), rest));
    if (under < 0)
        return; /* all zero */
    double factor = calc_add(k, calc_mul(k, ratio, d), calc_round(k, sqrt(under)));
    for (uint64_t i = 0; i < const_width(c, 0); i++)
        c->out[i].f = calc_sub(k, calc_mul(k, ratio, const_argf(c, 0, i)),
                               calc_mul(k, factor, const_argf(c, 1, i)));
}

static void transpose(struct wgsl_const_call *c) {
    uint32_t rows = c->args[0]->type->rows, columns = c->args[0]->type->columns;
    for (uint32_t column = 0; column < columns; column++)
        for (uint32_t row = 0; row < rows; row++)
            c->out[row * columns + column] = const_arg(c, 0, column * rows + row);
}

/* By the first column of the square matrix m of size n. */
static double determinant(struct wgsl_calc *calc, const double *m, uint32_t n) {
    if (n == 1)
        return m[0];
    double sum = 0;
    for (uint32_t skipped = 0; skipped < n; skipped++) {
        double minor[9] = {0};
        uint32_t next = 0;
        for (uint32_t column = 1; column < n; column++)
            for (uint32_t row = 0; row < n; row++)
                if (row != skipped)
                    minor[next++] = m[column * n + row];
        double term = calc_mul(calc, m[skipped], determinant(calc, minor, n - 1));
        sum = skipped & 1 ? calc_sub(calc, sum, term) : calc_add(calc, sum, term);
    }
    return sum;
}

static void eval_determinant(struct wgsl_const_call *c) {
    double m[16] = {0};
    for (uint64_t i = 0; i < const_width(c, 0); i++)
        m[i] = const_argf(c, 0, i);
    c->out[0].f = determinant(&c->calc, m, c->args[0]->type->columns);
}

/* The results of frexp and modf: all fractions, then all exponents or whole parts. */
static void eval_split(struct wgsl_const_call *c) {
    uint64_t n = const_width(c, 0);
    for (uint64_t i = 0; i < n; i++) {
        double x = const_argf(c, 0, i), whole;
        int exponent;
        if (c->builtin == BI_modf) {
            c->out[i].f = modf(x, &whole);
            c->out[n + i].f = whole;
        } else {
            c->out[i].f = frexp(x, &exponent);
            c->out[n + i].i = exponent;
        }
    }
}

static uint64_t count_true(const struct wgsl_const_call *c) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < const_width(c, 0); i++)
        count += const_arg(c, 0, i).i != 0;
    return count;
}

bool const_eval_vectors(struct wgsl_const_call *c) {
    switch (c->builtin) {
    case BI_dot:
        if (type_is_float(c->calc.type))
            c->out[0].f = dot(c, 0, 1);
        else
            c->out[0].i = dot_integers(c);
        return true;
    case BI_length:
        c->out[0].f = vector_length(c);
        return true;
    case BI_distance:
        c->out[0].f = distance(c);
        return true;
    case BI_normalize:
        normalize(c);
        return true;
    case BI_cross:
        cross(c);
        return true;
    case BI_faceForward:
        face_forward(c);
        return true;
    case BI_reflect:
        reflect(c);
        return true;
    case BI_refract:
        refract(c);
        return true;
    case BI_transpose:
        transpose(c);
        return true;
    case BI_determinant:
        eval_determinant(c);
        return true;
    case BI_modf:
    case BI_frexp:
        eval_split(c);
        return true;
    case BI_all:
    case BI_any:
        c->out[0].i = c->builtin == BI_all ? count_true(c) == const_width(c, 0) : count_true(c) > 0;
        return true;
    default:
        return false;
    }
}
