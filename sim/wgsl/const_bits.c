/* Builtin functions on the bits of constant integers. */
#include <inttypes.h>

#include "sim/wgsl/const_call.h"

static uint32_t reverse(uint32_t x) {
    uint32_t out = 0;
    for (int i = 0; i < 32; i++)
        out |= (x >> i & 1) << (31 - i);
    return out;
}

static int64_t as_type(const struct wgsl_const_call *c, uint32_t bits) {
    return c->calc.type->kind == TY_I32 ? (int64_t)(int32_t)bits : (int64_t)bits;
}

/* offset and count of extractBits and insertBits, checked. */
bool const_bit_range(struct wgsl_const_call *c, uint32_t n, uint32_t *offset, uint32_t *count) {
    int64_t o = const_arg(c, n, 0).i, k = const_arg(c, n + 1, 0).i;
    if (o + k > 32)
        calc_error(&c->calc, "%s with offset %" PRId64 " and count %" PRId64 " goes beyond 32 bits",
                   builtin_name(c->builtin), o, k);
    *offset = (uint32_t)(o > 32 ? 32 : o);
    *count = (uint32_t)(k > 32 ? 32 : k);
    return !c->calc.failed;
}

static int64_t extract_bits(struct wgsl_const_call *c, uint32_t x) {
    uint32_t offset, count;
    if (!const_bit_range(c, 1, &offset, &count) || count == 0)
        return 0;
    uint32_t up = x << ((32 - count - offset) & 31);
    return c->calc.type->kind == TY_I32 ? (int64_t)((int32_t)up >> (32 - count))
                                        : (int64_t)(up >> (32 - count));
}

static int64_t insert_bits(struct wgsl_const_call *c, uint32_t x, uint32_t bits) {
    uint32_t offset, count;
    if (!const_bit_range(c, 2, &offset, &count) || count == 0)
        return as_type(c, x);
    offset &= 31; /* as it is, the count being more than 0 */
    uint32_t mask = (count == 32 ? ~0u : (1u << count) - 1) << offset;
    return as_type(c, (x & ~mask) | (bits << offset & mask));
}

static int64_t first_leading_bit(const struct wgsl_const_call *c, uint32_t x) {
    if (c->calc.type->kind == TY_I32 && x >> 31)
        x = ~x;
    return as_type(c, x ? 31u - (uint32_t)__builtin_clz(x) : ~0u);
}

static bool eval_one(struct wgsl_const_call *c, uint64_t i, int64_t *out) {
    uint32_t x = (uint32_t)const_arg(c, 0, i).i;
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
        *out = insert_bits(c, x, (uint32_t)const_arg(c, 1, i).i);
        return true;
    default:
        return false;
    }
}

bool const_eval_bits(struct wgsl_const_call *c) {
    for (uint64_t i = 0; i < c->type->leaf_count; i++)
        if (!eval_one(c, i, &c->out[i].i))
            return false;
    return true;
}
