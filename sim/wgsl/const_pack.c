/* Builtin functions that pack constants into words, and reinterpret their bits. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim/half.h"
#include "sim/wgsl/const_call.h"

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

static uint32_t pack_one(struct wgsl_const_call *c, const struct packing *p, union wgsl_scalar x) {
    double most = (double)((1 << (p->bits - p->is_signed)) - 1);
    int64_t n;
    switch (p->how) {
    case PACK_FLOAT:
        return float_to_half((float)const_quantize(c, x.f));
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

static union wgsl_scalar unpack_one(struct wgsl_const_call *c, const struct packing *p,
                                    uint32_t field) {
    int64_t n =
        p->is_signed ? (int32_t)(field << (32 - p->bits)) >> (32 - p->bits) : (int64_t)field;
    double most = (double)((1 << (p->bits - p->is_signed)) - 1);
    union wgsl_scalar out;
    if (p->how == PACK_INT)
        out.i = n;
    else if (p->how == PACK_FLOAT)
        out.f = (double)half_to_float((uint16_t)field);
    else
        out.f = value_round_f32(fmax((double)n / most, -1));
    if (p->how == PACK_FLOAT && !isfinite(out.f))
        calc_error(&c->calc, "%s gives a value that is not finite", builtin_name(c->builtin));
    return out;
}

static void dot_packed(struct wgsl_const_call *c, bool is_signed) {
    uint32_t a = (uint32_t)const_arg(c, 0, 0).i, b = (uint32_t)const_arg(c, 1, 0).i;
    int64_t sum = 0;
    for (int i = 0; i < 32; i += 8)
        sum += is_signed ? (int8_t)(a >> i) * (int8_t)(b >> i)
                         : (int64_t)(uint8_t)(a >> i) * (uint8_t)(b >> i);
    c->out[0].i = sum;
}

static uint64_t to_bits(enum wgsl_type_kind kind, union wgsl_scalar x) {
    if (kind == TY_F16)
        return float_to_half((float)x.f);
    if (kind != TY_F32)
        return (uint32_t)x.i;
    float f = (float)x.f;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static union wgsl_scalar from_bits(struct wgsl_const_call *c, enum wgsl_type_kind kind,
                                   uint32_t bits) {
    union wgsl_scalar out = {0};
    float f;
    memcpy(&f, &bits, sizeof f);
    if (kind == TY_F32 || kind == TY_F16) {
        out.f = kind == TY_F32 ? (double)f : (double)half_to_float((uint16_t)bits);
        if (!isfinite(out.f))
            calc_error(&c->calc, "bitcast gives a value that is not finite");
    } else {
        out.i = kind == TY_I32 ? (int64_t)(int32_t)bits : (int64_t)bits;
    }
    return out;
}

static void bitcast(struct wgsl_const_call *c) {
    enum wgsl_type_kind from = c->calc.type->kind, to = type_scalar(c->type)->kind;
    int from_bits_count = from == TY_F16 ? 16 : 32, to_bits_count = to == TY_F16 ? 16 : 32;
    uint64_t pending = 0, next = 0;
    int held = 0;
    for (uint64_t i = 0; i < const_width(c, 0); i++) {
        pending |= to_bits(from, const_arg(c, 0, i)) << held;
        held += from_bits_count;
        for (; held >= to_bits_count; held -= to_bits_count) {
            c->out[next++] = from_bits(c, to, (uint32_t)pending);
            pending >>= to_bits_count;
        }
    }
}

static bool eval_table(struct wgsl_const_call *c) {
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
            c->out[i] = unpack_one(c, p, (uint32_t)const_arg(c, 0, 0).i >> shift & mask);
        else
            word |= (pack_one(c, p, const_arg(c, 0, (uint64_t)i)) & mask) << shift;
    }
    if (!p->unpack)
        c->out[0].i = word;
    return true;
}

bool const_eval_packing(struct wgsl_const_call *c) {
    if (c->builtin == BI_bitcast)
        bitcast(c);
    else if (c->builtin == BI_dot4I8Packed || c->builtin == BI_dot4U8Packed)
        dot_packed(c, c->builtin == BI_dot4I8Packed);
    else
        return eval_table(c);
    return true;
}
