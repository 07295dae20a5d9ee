/* Builtin functions of constants. */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim/wgsl/eval.h"

/* The arguments of one call, and where its result goes. */
struct call {
    struct wgsl_calc calc; /* type: the scalar type of the first argument */
    enum wgsl_builtin builtin;
    const struct wgsl_value *const *args;
    uint32_t arg_count;
    const struct wgsl_type *type; /* of the result */
    union wgsl_scalar *out;
};

/* Component i of an argument; a scalar has it in all components. */
static union wgsl_scalar arg(const struct call *c, uint32_t n, uint64_t i) {
    return value_leaf(c->args[n], c->args[n]->type->leaf_count == 1 ? 0 : i);
}

static double argf(const struct call *c, uint32_t n, uint64_t i) {
    return arg(c, n, i).f;
}

static bool is_float(const struct call *c) {
    return type_is_float(c->calc.type);
}

static uint64_t width(const struct call *c, uint32_t n) {
    return c->args[n]->type->leaf_count;
}

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

static bool eval_unary_float(struct call *c) {
    size_t n = 0, count = sizeof unary / sizeof unary[0];
    while (n < count && unary[n].builtin != c->builtin)
        n++;
    if (n == count)
        return false;
    for (uint64_t i = 0; i < width(c, 0); i++) {
        double x = argf(c, 0, i);
        if (!is_in_domain(unary[n].domain, x))
            calc_error(&c->calc, "%s(%g) is not defined", builtin_name(c->builtin), x);
        else
            c->out[i].f = calc_round(&c->calc, unary[n].function(x));
    }
    return true;
}

/* -- numbers, one component at a time -- */

static union wgsl_scalar absolute(struct call *c, union wgsl_scalar x) {
    union wgsl_scalar out = x;
    if (is_float(c))
        out.f = fabs(x.f);
    else if (x.i < 0 && x.i != INT64_MIN && !(c->calc.type->kind == TY_I32 && x.i == INT32_MIN))
        out.i = -x.i; /* the least number stays itself */
    return out;
}

static union wgsl_scalar sign_of(struct call *c, union wgsl_scalar x) {
    union wgsl_scalar out;
    if (is_float(c))
        out.f = (x.f > 0) - (x.f < 0);
    else
        out.i = (x.i > 0) - (x.i < 0);
    return out;
}

static bool is_less(struct call *c, union wgsl_scalar a, union wgsl_scalar b) {
    return is_float(c) ? a.f < b.f : a.i < b.i;
}

static union wgsl_scalar lesser(struct call *c, union wgsl_scalar a, union wgsl_scalar b) {
    return is_less(c, b, a) ? b : a;
}

static union wgsl_scalar greater(struct call *c, union wgsl_scalar a, union wgsl_scalar b) {
    return is_less(c, a, b) ? b : a;
}

static double power(struct call *c, double x, double y) {
    if (x < 0 || (x == 0 && y <= 0))
        calc_error(&c->calc, "pow(%g, %g) is not defined", x, y);
    return calc_round(&c->calc, pow(x, y));
}

static double mix(struct call *c, double a, double b, double t) {
    struct wgsl_calc *k = &c->calc;
    return calc_add(k, calc_mul(k, a, calc_sub(k, 1, t)), calc_mul(k, b, t));
}

static double smoothstep(struct call *c, double low, double high, double x) {
    struct wgsl_calc *k = &c->calc;
    if (low == high) {
        calc_error(k, "smoothstep needs edges that differ");
        return 0;
    }
    double t = saturate(calc_div(k, calc_sub(k, x, low), calc_sub(k, high, low)));
    return calc_mul(k, calc_mul(k, t, t), calc_sub(k, 3, calc_mul(k, 2, t)));
}

static double load_exponent(struct call *c, double x, int64_t exponent) {
    int64_t most = c->calc.type->kind == TY_F32 ? 128 : c->calc.type->kind == TY_F16 ? 16 : 1024;
    if (exponent > most) {
        calc_error(&c->calc, "ldexp with exponent %" PRId64 "; at most %" PRId64 " is allowed",
                   exponent, most);
        return 0;
    }
    return calc_round(&c->calc, ldexp(x, exponent < -4096 ? -4096 : (int)exponent));
}

static union wgsl_scalar clamp(struct call *c, uint64_t i) {
    union wgsl_scalar low = arg(c, 1, i), high = arg(c, 2, i);
    if (is_less(c, high, low))
        calc_error(&c->calc, "clamp needs a low bound that is not above the high one");
    return lesser(c, greater(c, arg(c, 0, i), low), high);
}

static double quantize(struct call *c, double x) {
    double rounded = value_round_f16(x);
    if (isinf(rounded))
        calc_error(&c->calc, "%g does not fit in 'f16'", x);
    return rounded;
}

/* Component i of a function that works one component at a time. Returns false for others. */
static bool eval_component(struct call *c, uint64_t i, union wgsl_scalar *out) {
    union wgsl_scalar a = arg(c, 0, i);
    switch (c->builtin) {
    case BI_abs:
        *out = absolute(c, a);
        return true;
    case BI_sign:
        *out = sign_of(c, a);
        return true;
    case BI_max:
        *out = greater(c, a, arg(c, 1, i));
        return true;
    case BI_min:
        *out = lesser(c, a, arg(c, 1, i));
        return true;
    case BI_clamp:
        *out = clamp(c, i);
        return true;
    case BI_select:
        *out = arg(c, 2, i).i ? arg(c, 1, i) : a;
        return true;
    case BI_atan2:
        out->f = calc_round(&c->calc, atan2(a.f, argf(c, 1, i)));
        return true;
    case BI_pow:
        out->f = power(c, a.f, argf(c, 1, i));
        return true;
    case BI_step:
        out->f = a.f <= argf(c, 1, i);
        return true;
    case BI_fma:
        out->f = calc_round(&c->calc, fma(a.f, argf(c, 1, i), argf(c, 2, i)));
        return true;
    case BI_mix:
        out->f = mix(c, a.f, argf(c, 1, i), argf(c, 2, i));
        return true;
    case BI_smoothstep:
        out->f = smoothstep(c, a.f, argf(c, 1, i), argf(c, 2, i));
        return true;
    case BI_ldexp:
        out->f = load_exponent(c, a.f, arg(c, 1, i).i);
        return true;
    case BI_quantizeToF16:
        out->f = quantize(c, a.f);
        return true;
    default:
        return false;
    }
}

/* -- bits -- */

static uint32_t reverse(uint32_t x) {
    uint32_t out = 0;
    for (int i = 0; i < 32; i++)
        out |= (x >> i & 1) << (31 - i);
    return out;
}

static int64_t as_type(const struct call *c, uint32_t bits) {
    return c->calc.type->kind == TY_I32 ? (int64_t)(int32_t)bits : (int64_t)bits;
}

/* offset and count of extractBits and insertBits, checked. */
static bool bit_range(struct call *c, uint32_t n, uint32_t *offset, uint32_t *count) {
    int64_t o = arg(c, n, 0).i, k = arg(c, n + 1, 0).i;
    if (o + k > 32)
        calc_error(&c->calc, "%s with offset %" PRId64 " and count %" PRId64 " goes beyond 32 bits",
                   builtin_name(c->builtin), o, k);
    *offset = (uint32_t)(o > 32 ? 32 : o);
    *count = (uint32_t)(k > 32 ? 32 : k);
    return !c->calc.failed;
}

static int64_t extract_bits(struct call *c, uint32_t x) {
    uint32_t offset, count;
    if (!bit_range(c, 1, &offset, &count) || count == 0)
        return 0;
    uint32_t up = x << (32 - count - offset);
    return c->calc.type->kind == TY_I32 ? (int64_t)((int32_t)up >> (32 - count))
                                        : (int64_t)(up >> (32 - count));
}

static int64_t insert_bits(struct call *c, uint32_t x, uint32_t bits) {
    uint32_t offset, count;
    if (!bit_range(c, 2, &offset, &count) || count == 0)
        return as_type(c, x);
    uint32_t mask = (count == 32 ? ~0u : (1u << count) - 1) << offset;
    return as_type(c, (x & ~mask) | (bits << offset & mask));
}

static int64_t first_leading_bit(const struct call *c, uint32_t x) {
    if (c->calc.type->kind == TY_I32 && x >> 31)
        x = ~x;
    return as_type(c, x ? 31u - (uint32_t)__builtin_clz(x) : ~0u);
}

static bool eval_bits(struct call *c, uint64_t i, int64_t *out) {
    uint32_t x = (uint32_t)arg(c, 0, i).i;
    switch (c->builtin) {
    case BI_countLeadingZeros:
        *out = x ? __builtin_clz(x) : 32;
        return true;
    case BI_countTrailingZeros:
        *out = x ? __builtin_ctz(x) : 32;
        return true;
    case BI_countOneBits:
        *out = __builtin_popcount(x);
        return true;
    case BI_firstLeadingBit:
        *out = first_leading_bit(c, x);
        return true;
    case BI_firstTrailingBit:
        *out = as_type(c, x ? (uint32_t)__builtin_ctz(x) : ~0u);
        return true;
    case BI_reverseBits:
        *out = as_type(c, reverse(x));
        return true;
    case BI_extractBits:
        *out = extract_bits(c, x);
        return true;
    case BI_insertBits:
        *out = insert_bits(c, x, (uint32_t)arg(c, 1, i).i);
        return true;
    default:
        return false;
    }
}

/* -- vectors and matrices -- */

static double dot(struct call *c, uint32_t a, uint32_t b) {
    double sum = 0;
    for (uint64_t i = 0; i < width(c, a); i++) {
        double product = calc_mul(&c->calc, argf(c, a, i), argf(c, b, i));
        sum = i ? calc_add(&c->calc, sum, product) : product;
    }
    return sum;
}

static int64_t dot_integers(struct call *c) {
    union wgsl_scalar sum = {0};
    for (uint64_t i = 0; i < width(c, 0); i++)
        sum = calc_binary(&c->calc, OP_ADD, sum,
                          calc_binary(&c->calc, OP_MUL, arg(c, 0, i), arg(c, 1, i)));
    return sum.i;
}

static double vector_length(struct call *c) {
    if (width(c, 0) == 1)
        return fabs(argf(c, 0, 0));
    return calc_round(&c->calc, sqrt(dot(c, 0, 0)));
}

static double distance(struct call *c) {
    double sum = 0;
    for (uint64_t i = 0; i < width(c, 0); i++) {
        double d = calc_sub(&c->calc, argf(c, 0, i), argf(c, 1, i));
        if (width(c, 0) == 1)
            return fabs(d);
        sum = calc_add(&c->calc, sum, calc_mul(&c->calc, d, d));
    }
    return calc_round(&c->calc, sqrt(sum));
}

static void normalize(struct call *c) {
    double length = vector_length(c);
    if (length == 0)
        calc_error(&c->calc, "a vector of length 0 cannot be normalized");
    for (uint64_t i = 0; i < width(c, 0) && !c->calc.failed; i++)
        c->out[i].f = calc_div(&c->calc, argf(c, 0, i), length);
}

static void cross(struct call *c) {
    struct wgsl_calc *k = &c->calc;
    for (uint64_t i = 0; i < 3; i++) {
        uint64_t u = (i + 1) % 3, v = (i + 2) % 3;
        c->out[i].f = calc_sub(k, calc_mul(k, argf(c, 0, u), argf(c, 1, v)),
                               calc_mul(k, argf(c, 0, v), argf(c, 1, u)));
    }
}

static void face_forward(struct call *c) {
    double sign = dot(c, 1, 2) < 0 ? 1 : -1;
    for (uint64_t i = 0; i < width(c, 0); i++)
        c->out[i].f = sign * argf(c, 0, i);
}

static void reflect(struct call *c) {
    struct wgsl_calc *k = &c->calc;
    double twice = calc_mul(k, 2, dot(c, 1, 0));
    for (uint64_t i = 0; i < width(c, 0); i++)
        c->out[i].f = calc_sub(k, argf(c, 0, i), calc_mul(k, twice, argf(c, 1, i)));
}

static void refract(struct call *c) {
    struct wgsl_calc *k = &c->calc;
    double ratio = argf(c, 2, 0), d = dot(c, 1, 0);
    double rest = calc_sub(k, 1, calc_mul(k, d, d));
    double under = calc_sub(k, 1, calc_mul(k, calc_mul(k, ratio, ratio), rest));
    if (under < 0)
        return; /* all zero */
    double factor = calc_add(k, calc_mul(k, ratio, d), calc_round(k, sqrt(under)));
    for (uint64_t i = 0; i < width(c, 0); i++)
        c->out[i].f =
            calc_sub(k, calc_mul(k, ratio, argf(c, 0, i)), calc_mul(k, factor, argf(c, 1, i)));
}

static void transpose(struct call *c) {
    uint32_t rows = c->args[0]->type->rows, columns = c->args[0]->type->columns;
    for (uint32_t column = 0; column < columns; column++)
        for (uint32_t row = 0; row < rows; row++)
            c->out[row * columns + column] = arg(c, 0, column * rows + row);
}

/* By the first column of the square matrix m of size n. */
static double determinant(struct wgsl_calc *calc, const double *m, uint32_t n) {
    if (n == 1)
        return m[0];
    double sum = 0;
    for (uint32_t skipped = 0; skipped < n; skipped++) {
        double minor[9];
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

static void eval_determinant(struct call *c) {
    double m[16];
    for (uint64_t i = 0; i < width(c, 0); i++)
        m[i] = argf(c, 0, i);
    c->out[0].f = determinant(&c->calc, m, c->args[0]->type->columns);
}

/* The results of frexp and modf: all fractions, then all exponents or whole parts. */
static void eval_split(struct call *c) {
    uint64_t n = width(c, 0);
    for (uint64_t i = 0; i < n; i++) {
        double x = argf(c, 0, i), whole;
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

static uint64_t count_true(const struct call *c) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < width(c, 0); i++)
        count += arg(c, 0, i).i != 0;
    return count;
}

static bool eval_vectors(struct call *c) {
    switch (c->builtin) {
    case BI_dot:
        if (is_float(c))
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
        c->out[0].i = c->builtin == BI_all ? count_true(c) == width(c, 0) : count_true(c) > 0;
        return true;
    default:
        return false;
    }
}

/* -- packing and bits of other types -- */

static uint32_t half_bits(double x) {
    double magnitude = fabs(x);
    uint32_t sign = signbit(x) ? 0x8000 : 0;
    if (magnitude < 0x1p-14)
        return sign | (uint32_t)(magnitude * 0x1p24);
    int exponent;
    double fraction_part = frexp(magnitude, &exponent);
    return sign | ((uint32_t)(exponent + 14) << 10) | ((uint32_t)(fraction_part * 0x1p11) & 0x3ff);
}

static double half_value(uint32_t bits) {
    uint32_t exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
    double x = exponent == 0    ? mantissa * 0x1p-24
               : exponent == 31 ? (mantissa ? (double)NAN : (double)INFINITY)
                                : ldexp(1024 + mantissa, (int)exponent - 25);
    return bits & 0x8000 ? -x : x;
}

/* How the packing functions lay their components out. */
static const struct packing {
    enum wgsl_builtin builtin;
    bool unpack;
    enum { PACK_FLOAT, PACK_SNORM, PACK_UNORM, PACK_INT, PACK_CLAMP_INT, PACK_CLAMP_UINT } how;
    int bits; /* of a component */
    bool is_signed;
} packings[] = {
    {BI_pack2x16float, false, PACK_FLOAT, 16, true},
    {BI_pack2x16snorm, false, PACK_SNORM, 16, true},
    {BI_pack2x16unorm, false, PACK_UNORM, 16, false},
    {BI_pack4x8snorm, false, PACK_SNORM, 8, true},
    {BI_pack4x8unorm, false, PACK_UNORM, 8, false},
    {BI_pack4xI8, false, PACK_INT, 8, true},
    {BI_pack4xU8, false, PACK_INT, 8, false},
    {BI_pack4xI8Clamp, false, PACK_CLAMP_INT, 8, true},
    {BI_pack4xU8Clamp, false, PACK_CLAMP_UINT, 8, false},
    {BI_unpack2x16float, true, PACK_FLOAT, 16, true},
    {BI_unpack2x16snorm, true, PACK_SNORM, 16, true},
    {BI_unpack2x16unorm, true, PACK_UNORM, 16, false},
    {BI_unpack4x8snorm, true, PACK_SNORM, 8, true},
    {BI_unpack4x8unorm, true, PACK_UNORM, 8, false},
    {BI_unpack4xI8, true, PACK_INT, 8, true},
    {BI_unpack4xU8, true, PACK_INT, 8, false},
};

static uint32_t pack_one(struct call *c, const struct packing *p, union wgsl_scalar x) {
    double most = (double)((1 << (p->bits - p->is_signed)) - 1);
    int64_t n;
    switch (p->how) {
    case PACK_FLOAT:
        return half_bits(quantize(c, x.f));
    case PACK_SNORM:
        return (uint32_t)(int32_t)floor(0.5 + most * fmin(1, fmax(-1, x.f)));
    case PACK_UNORM:
        return (uint32_t)floor(0.5 + most * fmin(1, fmax(0, x.f)));
    case PACK_CLAMP_INT:
        n = x.i < -128 ? -128 : x.i > 127 ? 127 : x.i;
        return (uint32_t)n;
    case PACK_CLAMP_UINT:
        return (uint32_t)(x.i > 255 ? 255 : x.i);
    default:
        return (uint32_t)x.i;
    }
}

static union wgsl_scalar unpack_one(struct call *c, const struct packing *p, uint32_t field) {
    int64_t n =
        p->is_signed ? (int32_t)(field << (32 - p->bits)) >> (32 - p->bits) : (int64_t)field;
    double most = (double)((1 << (p->bits - p->is_signed)) - 1);
    union wgsl_scalar out;
    if (p->how == PACK_INT)
        out.i = n;
    else if (p->how == PACK_FLOAT)
        out.f = half_value(field);
    else
        out.f = value_round_f32(fmax((double)n / most, -1));
    if (p->how == PACK_FLOAT && !isfinite(out.f))
        calc_error(&c->calc, "%s gives a value that is not finite", builtin_name(c->builtin));
    return out;
}

static bool eval_packing(struct call *c) {
    size_t n = 0, count = sizeof packings / sizeof packings[0];
    while (n < count && packings[n].builtin != c->builtin)
        n++;
    if (n == count)
        return false;
    const struct packing *p = &packings[n];
    uint32_t mask = p->bits == 16 ? 0xffff : 0xff, word = 0;
    for (int i = 0; i < 32 / p->bits; i++) {
        int shift = i * p->bits;
        if (p->unpack)
            c->out[i] = unpack_one(c, p, (uint32_t)arg(c, 0, 0).i >> shift & mask);
        else
            word |= (pack_one(c, p, arg(c, 0, (uint64_t)i)) & mask) << shift;
    }
    if (!p->unpack)
        c->out[0].i = word;
    return true;
}

static void dot_packed(struct call *c, bool is_signed) {
    uint32_t a = (uint32_t)arg(c, 0, 0).i, b = (uint32_t)arg(c, 1, 0).i;
    int64_t sum = 0;
    for (int i = 0; i < 32; i += 8)
        sum += is_signed ? (int8_t)(a >> i) * (int8_t)(b >> i)
                         : (int64_t)(uint8_t)(a >> i) * (uint8_t)(b >> i);
    c->out[0].i = sum;
}

static uint64_t to_bits(enum wgsl_type_kind kind, union wgsl_scalar x) {
    if (kind == TY_F16)
        return half_bits(x.f);
    if (kind != TY_F32)
        return (uint32_t)x.i;
    float f = (float)x.f;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static union wgsl_scalar from_bits(struct call *c, enum wgsl_type_kind kind, uint32_t bits) {
    union wgsl_scalar out = {0};
    float f;
    memcpy(&f, &bits, sizeof f);
    if (kind == TY_F32 || kind == TY_F16) {
        out.f = kind == TY_F32 ? (double)f : half_value(bits & 0xffff);
        if (!isfinite(out.f))
            calc_error(&c->calc, "bitcast gives a value that is not finite");
    } else {
        out.i = kind == TY_I32 ? (int64_t)(int32_t)bits : (int64_t)bits;
    }
    return out;
}

static void bitcast(struct call *c) {
    enum wgsl_type_kind from = c->calc.type->kind, to = type_scalar(c->type)->kind;
    int from_bits_count = from == TY_F16 ? 16 : 32, to_bits_count = to == TY_F16 ? 16 : 32;
    uint64_t pending = 0, next = 0;
    int held = 0;
    for (uint64_t i = 0; i < width(c, 0); i++) {
        pending |= to_bits(from, arg(c, 0, i)) << held;
        held += from_bits_count;
        for (; held >= to_bits_count; held -= to_bits_count) {
            c->out[next++] = from_bits(c, to, (uint32_t)pending);
            pending >>= to_bits_count;
        }
    }
}

/* -- all -- */

static void evaluate(struct call *c) {
    if (eval_unary_float(c) || eval_packing(c) || eval_vectors(c))
        return;
    if (c->builtin == BI_bitcast) {
        bitcast(c);
    } else if (c->builtin == BI_dot4I8Packed || c->builtin == BI_dot4U8Packed) {
        dot_packed(c, c->builtin == BI_dot4I8Packed);
    } else {
        for (uint64_t i = 0; i < c->type->leaf_count; i++)
            if (!eval_component(c, i, &c->out[i]))
                eval_bits(c, i, &c->out[i].i);
    }
}

const struct wgsl_value *eval_builtin(struct wgsl_eval *eval, enum wgsl_builtin builtin,
                                      const struct wgsl_value *const *args, uint32_t arg_count,
                                      const struct wgsl_type *type, struct wgsl_span span) {
    struct call c = {
        {eval, type_scalar(args[0]->type), span, false}, builtin, args, arg_count, type, NULL};
    c.out = eval_leaves(eval, type->leaf_count);
    evaluate(&c);
    return c.calc.failed ? NULL : eval_value(eval, type, c.out);
}

bool eval_check_builtin(struct wgsl_eval *eval, enum wgsl_builtin builtin,
                        const struct wgsl_value *const *args, uint32_t arg_count,
                        struct wgsl_span span) {
    const struct wgsl_value *any = NULL;
    for (uint32_t i = 0; i < arg_count; i++)
        any = args[i] ? args[i] : any;
    if (!any)
        return true;
    struct call c = {
        {eval, type_scalar(any->type), span, false}, builtin, args, arg_count, NULL, NULL};
    uint32_t offset, count;
    switch (builtin) {
    case BI_clamp:
    case BI_smoothstep: {
        const struct wgsl_value *low = args[builtin == BI_clamp],
                                *high = args[1 + (builtin == BI_clamp)];
        for (uint64_t i = 0; low && high && i < low->type->leaf_count; i++)
            if (builtin == BI_clamp ? is_less(&c, value_leaf(high, i), value_leaf(low, i))
                                    : value_leaf(high, i).f == value_leaf(low, i).f)
                calc_error(&c.calc, "the bounds of %s are not in order", builtin_name(builtin));
        break;
    }
    case BI_extractBits:
    case BI_insertBits: {
        uint32_t first = builtin == BI_extractBits ? 1 : 2;
        if (args[first] && args[first + 1])
            bit_range(&c, first, &offset, &count);
        break;
    }
    case BI_ldexp: {
        int64_t most = 128;
        for (uint64_t i = 0; args[1] && i < args[1]->type->leaf_count; i++)
            if (value_leaf(args[1], i).i > most)
                calc_error(&c.calc,
                           "ldexp with exponent %" PRId64 "; at most %" PRId64 " is allowed",
                           value_leaf(args[1], i).i, most);
        break;
    }
    default:
        break;
    }
    return !c.calc.failed;
}
