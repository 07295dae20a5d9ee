/* Builtin functions of constants. */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>

#include "sim/wgsl/const_call.h"

/* -- one floating-point argument, one component at a time -- */

static double inverse_sqrt(double x) {
    return 1 / sqrt(x);
}
static double degrees(double x) {
    return x * 57.295779513082322865;
}
static double radians(double x) {
    return x * 0.017453292519943295474;
}
static double fraction(double x) {
    return x - floor(x);
}
static double round_even(double x) {
    return nearbyint(x);
}
static double saturate(double x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

enum domain { ANY, UNIT, OPEN_UNIT, FROM_ONE, FROM_ZERO, ABOVE_ZERO };

static const struct {
    enum wgsl_builtin builtin;
    double (*function)(double);
    enum domain domain;
} unary[] = {
    {BI_acos, acos, UNIT},
    {BI_acosh, acosh, FROM_ONE},
    {BI_asin, asin, UNIT},
    {BI_asinh, asinh, ANY},
    {BI_atan, atan, ANY},
    {BI_atanh, atanh, OPEN_UNIT},
    {BI_ceil, ceil, ANY},
    {BI_cos, cos, ANY},
    {BI_cosh, cosh, ANY},
    {BI_degrees, degrees, ANY},
    {BI_exp, exp, ANY},
    {BI_exp2, exp2, ANY},
    {BI_floor, floor, ANY},
    {BI_fract, fraction, ANY},
    {BI_inverseSqrt, inverse_sqrt, ABOVE_ZERO},
    {BI_log, log, ABOVE_ZERO},
    {BI_log2, log2, ABOVE_ZERO},
    {BI_radians, radians, ANY},
    {BI_round, round_even, ANY},
    {BI_saturate, saturate, ANY},
    {BI_sin, sin, ANY},
    {BI_sinh, sinh, ANY},
    {BI_sqrt, sqrt, FROM_ZERO},
    {BI_tan, tan, ANY},
    {BI_tanh, tanh, ANY},
    {BI_trunc, trunc, ANY},
};

static bool is_in_domain(enum domain domain, double x) {
    switch (domain) {
    case UNIT:
        return x >= -1 && x <= 1;
    case OPEN_UNIT:
        return x > -1 && x < 1;
    case FROM_ONE:
        return x >= 1;
    case FROM_ZERO:
        return x >= 0;
    case ABOVE_ZERO:
        return x > 0;
    default:
        return true;
    }
}

static bool eval_unary_float(struct wgsl_const_call *c) {
    size_t n = 0, count = sizeof unary / sizeof unary[0];
    while (n < count && unary[n].builtin != c->builtin)
        n++;
    if (n == count)
        return false;
    for (uint64_t i = 0; i < const_width(c, 0); i++) {
        double x = const_argf(c, 0, i);
        if (!is_in_domain(unary[n].domain, x))
            calc_error(&c->calc, "%s(%g) is not defined", builtin_name(c->builtin), x);
        else
            c->out[i].f = calc_round(&c->calc, unary[n].function(x));
    }
    return true;
}

/* -- numbers, one component at a time -- */

static union wgsl_scalar absolute(struct wgsl_const_call *c, union wgsl_scalar x) {
    union wgsl_scalar out = x;
    if (type_is_float(c->calc.type))
        out.f = fabs(x.f);
    else if (x.i < 0 && x.i != INT64_MIN && !(c->calc.type->kind == TY_I32 && x.i == INT32_MIN))
        out.i = -x.i; /* the least number stays itself */
    return out;
}

static union wgsl_scalar sign_of(struct wgsl_const_call *c, union wgsl_scalar x) {
    union wgsl_scalar out;
    if (type_is_float(c->calc.type))
        out.f = (x.f > 0) - (x.f < 0);
    else
        out.i = (x.i > 0) - (x.i < 0);
    return out;
}

static bool is_less(struct wgsl_const_call *c, union wgsl_scalar a, union wgsl_scalar b) {
    return type_is_float(c->calc.type) ? a.f < b.f : a.i < b.i;
}

static union wgsl_scalar lesser(struct wgsl_const_call *c, union wgsl_scalar a,
                                union wgsl_scalar b) {
    return is_less(c, b, a) ? b : a;
}

static union wgsl_scalar greater(struct wgsl_const_call *c, union wgsl_scalar a,
                                 union wgsl_scalar b) {
    return is_less(c, a, b) ? b : a;
}

static double power(struct wgsl_const_call *c, double x, double y) {
    if (x < 0 || (x == 0 && y <= 0))
        calc_error(&c->calc, "pow(%g, %g) is not defined", x, y);
    return calc_round(&c->calc, pow(x, y));
}

static double mix(struct wgsl_const_call *c, double a, double b, double t) {
    struct wgsl_calc *k = &c->calc;
    return calc_add(k, calc_mul(k, a, calc_sub(k, 1, t)), calc_mul(k, b, t));
}

static double smoothstep(struct wgsl_const_call *c, double low, double high, double x) {
    struct wgsl_calc *k = &c->calc;
    if (low == high) {
        calc_error(k, "smoothstep needs edges that differ");
        return 0;
    }
    double t = saturate(calc_div(k, calc_sub(k, x, low), calc_sub(k, high, low)));
    return calc_mul(k, calc_mul(k, t, t), calc_sub(k, 3, calc_mul(k, 2, t)));
}

static double load_exponent(struct wgsl_const_call *c, double x, int64_t exponent) {
    int64_t most = c->calc.type->kind == TY_F32 ? 128 : c->calc.type->kind == TY_F16 ? 16 : 1024;
    if (exponent > most) {
        calc_error(&c->calc, "ldexp with exponent %" PRId64 "; at most %" PRId64 " is allowed",
                   exponent, most);
        return 0;
    }
    return calc_round(&c->calc, ldexp(x, exponent < -4096 ? -4096 : (int)exponent));
}

static union wgsl_scalar clamp(struct wgsl_const_call *c, uint64_t i) {
    union wgsl_scalar low = const_arg(c, 1, i), high = const_arg(c, 2, i);
    if (is_less(c, high, low))
        calc_error(&c->calc, "clamp needs a low bound that is not above the high one");
    return lesser(c, greater(c, const_arg(c, 0, i), low), high);
}

double const_quantize(struct wgsl_const_call *c, double x) {
    double rounded = value_round_f16(x);
    if (isinf(rounded))
        calc_error(&c->calc, "%g does not fit in 'f16'", x);
    return rounded;
}

/* Component i of a function that works one component at a time. Returns false for others. */
static bool eval_component(struct wgsl_const_call *c, uint64_t i, union wgsl_scalar *out) {
    union wgsl_scalar a = const_arg(c, 0, i);
    switch (c->builtin) {
    case BI_abs:
        *out = absolute(c, a);
        return true;
    case BI_sign:
        *out = sign_of(c, a);
        return true;
    case BI_max:
        *out = greater(c, a, const_arg(c, 1, i));
        return true;
    case BI_min:
        *out = lesser(c, a, const_arg(c, 1, i));
        return true;
    case BI_clamp:
        *out = clamp(c, i);
        return true;
    case BI_select:
        *out = const_arg(c, 2, i).i ? const_arg(c, 1, i) : a;
        return true;
    case BI_atan2:
        out->f = calc_round(&c->calc, atan2(a.f, const_argf(c, 1, i)));
        return true;
    case BI_pow:
        out->f = power(c, a.f, const_argf(c, 1, i));
        return true;
    case BI_step:
        out->f = a.f <= const_argf(c, 1, i);
        return true;
    case BI_fma:
        out->f = calc_round(&c->calc, fma(a.f, const_argf(c, 1, i), const_argf(c, 2, i)));
        return true;
    case BI_mix:
        out->f = mix(c, a.f, const_argf(c, 1, i), const_argf(c, 2, i));
        return true;
    case BI_smoothstep:
        out->f = smoothstep(c, a.f, const_argf(c, 1, i), const_argf(c, 2, i));
        return true;
    case BI_ldexp:
        out->f = load_exponent(c, a.f, const_arg(c, 1, i).i);
        return true;
    case BI_quantizeToF16:
        out->f = const_quantize(c, a.f);
        return true;
    default:
        return false;
    }
}

static bool eval_components(struct wgsl_const_call *c) {
    for (uint64_t i = 0; i < c->type->leaf_count; i++)
        if (!eval_component(c, i, &c->out[i]))
            return false;
    return true;
}

/* -- all -- */

static void evaluate(struct wgsl_const_call *c) {
    if (eval_unary_float(c) || const_eval_packing(c) || const_eval_vectors(c) || eval_components(c))
        return;
    const_eval_bits(c);
}

const struct wgsl_value *eval_builtin(struct wgsl_eval *eval, enum wgsl_builtin builtin,
                                      const struct wgsl_value *const *args, uint32_t arg_count,
                                      const struct wgsl_type *type, struct wgsl_span span) {
    struct wgsl_const_call c = {
        {eval, type_scalar(args[0]->type), span, false}, builtin, args, arg_count, type, NULL};
    c.out = eval_leaves(eval, type->leaf_count);
    evaluate(&c);
    return c.calc.failed ? NULL : eval_value(eval, type, c.out);
}

/* The bounds of clamp and smoothstep, arguments first and first + 1. */
static void check_bounds(struct wgsl_const_call *c, uint32_t first) {
    const struct wgsl_value *low = c->args[first], *high = c->args[first + 1];
    for (uint64_t i = 0; low && high && i < low->type->leaf_count; i++) {
        union wgsl_scalar a = value_leaf(low, i), b = value_leaf(high, i);
        if (c->builtin == BI_clamp ? is_less(c, b, a) : a.f == b.f)
            calc_error(&c->calc, "the bounds of %s are not in order", builtin_name(c->builtin));
    }
}

static void check_exponent(struct wgsl_const_call *c) {
    for (uint64_t i = 0; c->args[1] && i < c->args[1]->type->leaf_count; i++)
        load_exponent(c, 0, value_leaf(c->args[1], i).i);
}

bool eval_check_builtin(struct wgsl_eval *eval, enum wgsl_builtin builtin,
                        const struct wgsl_value *const *args, uint32_t arg_count,
                        const struct wgsl_type *type, struct wgsl_span span) {
    struct wgsl_const_call c = {
        {eval, type_scalar(type), span, false}, builtin, args, arg_count, type, NULL};
    uint32_t offset, count, first = builtin == BI_extractBits ? 1 : 2;
    switch (builtin) {
    case BI_clamp:
        check_bounds(&c, 1);
        break;
    case BI_smoothstep:
        check_bounds(&c, 0);
        break;
    case BI_extractBits:
    case BI_insertBits:
        if (args[first] && args[first + 1])
            const_bit_range(&c, first, &offset, &count);
        break;
    case BI_ldexp:
        check_exponent(&c);
        break;
    default:
        break;
    }
    return !c.calc.failed;
}
