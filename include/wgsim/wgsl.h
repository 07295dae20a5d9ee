/* What a kernel translated from WGSL includes: the values of WGSL and their way to memory.
 *
 * kernel.h leaves the vector types to wgsl_value.h here. Sites are numbers in the kernel's own
 * table; a variable is its number, a place in it a byte offset. */
#ifndef WGSIM_WGSL_H
#define WGSIM_WGSL_H

#include <wgsim/wgsl_value.h>

#include <wgsim/kernel.h>

/* A pointer into a buffer or workgroup variable. */
struct wgsl_pointer {
    u32 var;
    uint64_t byte;
};

/* ---- Loads and stores ---- */

/* Inlined, unless the emitter says that there are so many that it would take long to compile. */
#ifdef WGSL_MANY_ACCESSES
#define WGSL_ACCESS_ static __attribute__((noinline, unused))
#else
#define WGSL_ACCESS_ WG_INLINE_
#endif

/* TYPE_load and TYPE_store take a byte offset, the _element forms an index, the stride of the
 * elements and the offset inside one. M is what lies in memory. */
#define WGSL_MEMORY(T, M, bytes, from, to)                                                         \
    WGSL_ACCESS_ T T##_load_element(struct wg *wg, u32 site, u32 var, int64_t index,               \
                                    uint64_t stride, uint64_t offset) {                            \
        M in_memory = {0};                                                                         \
        wg_read_(wg, site, var, (uint64_t)index *stride + offset, index, stride, &in_memory,       \
                 bytes);                                                                           \
        return from(in_memory);                                                                    \
    }                                                                                              \
    WGSL_ACCESS_ T T##_load(struct wg *wg, u32 site, u32 var, uint64_t byte) {                     \
        M in_memory = {0};                                                                         \
        wg_read_(wg, site, var, byte, (int64_t)byte, 1, &in_memory, bytes);                        \
        return from(in_memory);                                                                    \
    }                                                                                              \
    WGSL_ACCESS_ void T##_store_element(struct wg *wg, u32 site, u32 var, int64_t index,           \
                                        uint64_t stride, uint64_t offset, T value) {               \
        M in_memory = to(value);                                                                   \
        wg_write_(wg, site, var, (uint64_t)index *stride + offset, index, stride, &in_memory,      \
                  bytes);                                                                          \
    }                                                                                              \
    WGSL_ACCESS_ void T##_store(struct wg *wg, u32 site, u32 var, uint64_t byte, T value) {        \
        M in_memory = to(value);                                                                   \
        wg_write_(wg, site, var, byte, (int64_t)byte, 1, &in_memory, bytes);                       \
    }

#define WGSL_SAME(value) (value)
WGSL_MEMORY(f32, f32, 4, WGSL_SAME, WGSL_SAME)
WGSL_MEMORY(i32, i32, 4, WGSL_SAME, WGSL_SAME)
WGSL_MEMORY(u32, u32, 4, WGSL_SAME, WGSL_SAME)
WGSL_MEMORY(vec2f, vec2f, 8, WGSL_SAME, WGSL_SAME)
WGSL_MEMORY(vec3f, vec3f, 12, WGSL_SAME, WGSL_SAME)
WGSL_MEMORY(vec4f, vec4f, 16, WGSL_SAME, WGSL_SAME)
WGSL_MEMORY(vec2i, vec2i, 8, WGSL_SAME, WGSL_SAME)
WGSL_MEMORY(vec3i, vec3i, 12, WGSL_SAME, WGSL_SAME)
WGSL_MEMORY(vec4i, vec4i, 16, WGSL_SAME, WGSL_SAME)
WGSL_MEMORY(vec2u, vec2u, 8, WGSL_SAME, WGSL_SAME)
WGSL_MEMORY(vec3u, vec3u, 12, WGSL_SAME, WGSL_SAME)
WGSL_MEMORY(vec4u, vec4u, 16, WGSL_SAME, WGSL_SAME)

/* bool takes a word, 0 or 1. */
#define WGSL_TO_BOOL(word) ((word) != 0)
WGSL_MEMORY(bool, u32, 4, WGSL_TO_BOOL, WGSL_SAME)
WGSL_MEMORY(vec2b, vec2u, 8, vec2b_from_vec2u, vec2u_from_vec2b)
WGSL_MEMORY(vec3b, vec3u, 12, vec3b_from_vec3u, vec3u_from_vec3b)
WGSL_MEMORY(vec4b, vec4u, 16, vec4b_from_vec4u, vec4u_from_vec4b)

/* f16 is half a word in memory. */
struct wgsl_halves {
    uint16_t bits[4];
};
WGSL_FN vec2h wgsl_halves_to_vec2h(struct wgsl_halves h) {
    return (vec2h){f16_from_bits(h.bits[0]), f16_from_bits(h.bits[1])};
}
WGSL_FN vec4h wgsl_halves_to_vec4h(struct wgsl_halves h) {
    return (vec4h){f16_from_bits(h.bits[0]), f16_from_bits(h.bits[1]), f16_from_bits(h.bits[2]),
                   f16_from_bits(h.bits[3])};
}
WGSL_FN struct wgsl_halves wgsl_halves_from_vec2h(vec2h v) {
    return (struct wgsl_halves){{(uint16_t)f16_to_bits(v[0]), (uint16_t)f16_to_bits(v[1]), 0, 0}};
}
WGSL_FN struct wgsl_halves wgsl_halves_from_vec4h(vec4h v) {
    return (struct wgsl_halves){{(uint16_t)f16_to_bits(v[0]), (uint16_t)f16_to_bits(v[1]),
                                 (uint16_t)f16_to_bits(v[2]), (uint16_t)f16_to_bits(v[3])}};
}
WGSL_MEMORY(f16, uint16_t, 2, f16_from_bits, f16_to_bits)
#define WGSL_HALVES(n, m)                                                                          \
    WGSL_MEMORY(vec##n##h, struct wgsl_halves, 2 * n, wgsl_halves_to_vec##m##h,                    \
                wgsl_halves_from_vec##m##h)
WGSL_HALVES(2, 2)
WGSL_HALVES(3, 4)
WGSL_HALVES(4, 4)

/* arrayLength of an array that begins at a byte and ends with the buffer. */
WGSL_FN u32 wgsl_array_length(struct wg *wg, u32 var, uint64_t byte, uint64_t stride) {
    return (u32)((wg->ctx->vars[var].bytes - byte) / stride);
}

/* Linear numbers, x fastest. */
WGSL_FN u32 wgsl_workgroup_index(struct wg *wg) {
    const u32 *id = wg->ctx->workgroup_id, *count = wg->ctx->num_workgroups;
    return id[0] + count[0] * (id[1] + count[1] * id[2]);
}
WGSL_FN u32 wgsl_global_invocation_index(struct wg *wg) {
    const u32 *size = wg->ctx->workgroup_size;
    return wgsl_workgroup_index(wg) * (size[0] * size[1] * size[2]) + wg_local_invocation_index;
}

/* ---- Atomics ---- */

#define WGSL_ATOMIC(T, is_signed)                                                                  \
    struct wgsl_exchange_##T {                                                                     \
        T old_value;                                                                               \
        bool exchanged;                                                                            \
    };                                                                                             \
    WG_INLINE_ T T##_atomic(struct wg *wg, u32 site, u32 var, uint64_t byte, u32 op, T operand) {  \
        return (T)wg_atomic_(wg, site, var, byte, (int64_t)byte, 1, op, (u32)operand, 0,           \
                             is_signed);                                                           \
    }                                                                                              \
    WG_INLINE_ struct wgsl_exchange_##T T##_compare_exchange(                                      \
        struct wg *wg, u32 site, u32 var, uint64_t byte, T expected, T operand) {                  \
        T old = (T)wg_atomic_(wg, site, var, byte, (int64_t)byte, 1,                               \
                              WG_OP_ATOMIC_COMPARE_EXCHANGE, (u32)operand, (u32)expected, false);  \
        return (struct wgsl_exchange_##T){old, old == expected};                                   \
    }
WGSL_ATOMIC(i32, true)
WGSL_ATOMIC(u32, false)

/* ---- Subgroup operations ---- */

/* Between the words of a value and the members of a collective. */
WG_INLINE_ void wgsl_give(struct wg_collective *c, const void *words) {
    for (u32 k = 0; k < c->components; k++)
        memcpy(&c->value[k].u, (const u32 *)words + k, 4);
}
WG_INLINE_ void wgsl_take(const struct wg_collective *c, void *words, u32 count) {
    for (u32 k = 0; k < count; k++)
        memcpy((u32 *)words + k, &c->value[k].u, 4);
}
#define WGSL_COLLECTIVE(T, wg_type, count)                                                         \
    WG_INLINE_ T T##_collective(struct wg *wg, u32 site, u32 op, T operand, u32 argument) {        \
        struct wg_collective c = {.op = op, .type = (wg_type), .components = (count)};             \
        T result = {0};                                                                            \
        c.argument = argument;                                                                     \
        wgsl_give(&c, &operand);                                                                   \
        wgsl_take(wg_collective_(wg, site, &c), &result, count);                                   \
        return result;                                                                             \
    }
WGSL_COLLECTIVE(f32, WG_F32, 1)
WGSL_COLLECTIVE(vec2f, WG_F32, 2)
WGSL_COLLECTIVE(vec3f, WG_F32, 3)
WGSL_COLLECTIVE(vec4f, WG_F32, 4)
WGSL_COLLECTIVE(i32, WG_I32, 1)
WGSL_COLLECTIVE(vec2i, WG_I32, 2)
WGSL_COLLECTIVE(vec3i, WG_I32, 3)
WGSL_COLLECTIVE(vec4i, WG_I32, 4)
WGSL_COLLECTIVE(u32, WG_U32, 1)
WGSL_COLLECTIVE(vec2u, WG_U32, 2)
WGSL_COLLECTIVE(vec3u, WG_U32, 3)
WGSL_COLLECTIVE(vec4u, WG_U32, 4)
/* Of f16: half bits, so that each step of a reduction is rounded. */
#define WGSL_COLLECTIVE_HALF(n)                                                                    \
    WG_INLINE_ vec##n##h vec##n##h_collective(struct wg *wg, u32 site, u32 op, vec##n##h operand,  \
                                              u32 argument) {                                      \
        struct wg_collective c = {.op = op, .type = WG_F16, .components = n};                      \
        vec##n##h result = {0};                                                                    \
        c.argument = argument;                                                                     \
        for (int k = 0; k < n; k++)                                                                \
            c.value[k].u = f16_to_bits(operand[k]);                                                \
        const struct wg_collective *mine = wg_collective_(wg, site, &c);                           \
        for (int k = 0; k < n; k++)                                                                \
            result[k] = f16_from_bits(mine->value[k].u);                                           \
        return result;                                                                             \
    }
WGSL_COLLECTIVE_HALF(2)
WGSL_COLLECTIVE_HALF(3)
WGSL_COLLECTIVE_HALF(4)
WG_INLINE_ f16 f16_collective(struct wg *wg, u32 site, u32 op, f16 operand, u32 argument) {
    struct wg_collective c = {.op = op, .type = WG_F16, .components = 1};
    c.argument = argument;
    c.value[0].u = f16_to_bits(operand);
    return f16_from_bits(wg_collective_(wg, site, &c)->value[0].u);
}

/* Operand and result of subgroupAll, subgroupAny and subgroupElect. */
WG_INLINE_ bool bool_collective(struct wg *wg, u32 site, u32 op, bool operand) {
    struct wg_collective c = {.op = op, .type = WG_BOOL, .components = 1};
    c.value[0].u = operand;
    return wg_collective_(wg, site, &c)->value[0].u != 0;
}
WG_INLINE_ vec4u wgsl_ballot(struct wg *wg, u32 site, bool operand) {
    struct wg_collective c = {.op = WG_SUBGROUP_BALLOT, .type = WG_BOOL, .components = 1};
    vec4u result;
    c.value[0].u = operand;
    wgsl_take(wg_collective_(wg, site, &c), &result, 4);
    return result;
}

/* The index to use inside an array, matrix or vector of the invocation's own. */
WG_INLINE_ u32 wgsl_own_index(struct wg *wg, u32 site, bool wanted, u32 index, u32 count) {
    if (WG_UNLIKELY_(index >= count)) {
        if (wanted)
            wg->ctx->ops->outside(wg_caller_(wg), site, WG_VAR_DYNAMIC, 0, index, count, 1, 0);
        return count - 1;
    }
    return index;
}

/* What select() does not take is not accessed where its index is outside: such an index goes as one
 * that was dropped on the way. */
WG_INLINE_ int64_t wgsl_unless_left(int64_t index, uint64_t count, bool wanted) {
    return wanted || (uint64_t)index < count ? index : (int64_t)WG_DROPPED;
}
WG_INLINE_ uint64_t wgsl_wanted_index(struct wg *wg, u32 site, u32 var, int64_t index,
                                      uint64_t count, bool wanted) {
    return wanted || (uint64_t)index < count ? wg_index_(wg, site, var, index, count) : WG_DROPPED;
}

/* ---- Arithmetic that may meet a corner: the same values, and advice ---- */

/* Where what select() does not take is computed: its corners do not matter. */
#define WGSL_NOWHERE ~0u
WG_INLINE_ u32 wgsl_site_if(bool wanted, u32 site) {
    return wanted ? site : WGSL_NOWHERE;
}
WG_INLINE_ void wgsl_advise(struct wg *wg, u32 site, u32 kind, bool corner) {
    if (WG_UNLIKELY_(corner) && site != WGSL_NOWHERE)
        wg->ctx->ops->arithmetic(wg_caller_(wg), site, kind);
}
/* ---- What an index is made of, both ways ---- */

/* An integer, what it would be if nothing had wrapped around 2^32, and where it first did. */
struct wgsl_exact {
    int64_t exact;
    u32 value;
    u32 site : 31; /* 0 where it did not wrap or has come back, else one more than it, and
                      WGSL_BELOW where that was below zero */
    u32 mixed : 1; /* a product is in it, as in hashes of coordinates */
};
enum { WGSL_BELOW = 0x10000 };
WG_INLINE_ u32 wgsl_wrapped_at(u32 site, int64_t exact) {
    return site + 1 + (exact < 0 ? WGSL_BELOW : 0);
}

/* Inlined, unless the emitter says that there are so many that it would take long to compile. */
#ifdef WGSL_MANY_INDICES
#define WGSL_EXACT_ static __attribute__((noinline, unused))
#else
#define WGSL_EXACT_ WG_INLINE_
#endif

/* A u32 just below 2^32 stands for a number below zero, and is meant to wrap. */
WG_INLINE_ struct wgsl_exact wgsl_exact_u32(u32 value) {
    return (struct wgsl_exact){value >= 0xffff0000u ? (i32)value : (int64_t)value, value, 0, 0};
}
WG_INLINE_ struct wgsl_exact wgsl_exact_i32(i32 value) {
    return (struct wgsl_exact){value, (u32)value, 0, 0};
}
enum { wgsl_mixes_add = false, wgsl_mixes_sub = false, wgsl_mixes_mul = true };
/* a op b: it wrapped here where both operands are what they should be, and it is not. A signed
 * operation that overflows is worth a word wherever it goes. */
#define WGSL_EXACT(S, is_signed, op)                                                               \
    WGSL_EXACT_ struct wgsl_exact wgsl_exact_##op##_##S(                                           \
        struct wg *wg, u32 site, struct wgsl_exact a, struct wgsl_exact b) {                       \
        int64_t exact;                                                                             \
        S value;                                                                                   \
        bool far = __builtin_##op##_overflow(a.exact, b.exact, &exact);                            \
        bool wraps = __builtin_##op##_overflow((S)a.value, (S)b.value, &value);                    \
        wgsl_advise(wg, site, WG_ARITHMETIC_OVERFLOW, is_signed &&wraps);                          \
        struct wgsl_exact both = wgsl_exact_of_##S(value, exact, far, site, a, b);                 \
        both.mixed = a.mixed | b.mixed | wgsl_mixes_##op;                                          \
        return both;                                                                               \
    }
#define WGSL_EXACT_FAMILY(S, is_signed)                                                            \
    static __attribute__((noinline, cold, unused))                                                 \
    u32 wgsl_wraps_##S(u32 site, int64_t exact, struct wgsl_exact a, struct wgsl_exact b) {        \
        bool here = a.exact == (S)a.value && b.exact == (S)b.value;                                \
        return a.site ? a.site : b.site ? b.site : here ? wgsl_wrapped_at(site, exact) : 0;        \
    }                                                                                              \
    /* far: by more than can be said */                                                            \
    WG_INLINE_ struct wgsl_exact wgsl_exact_of_##S(S value, int64_t exact, bool far, u32 site,     \
                                                   struct wgsl_exact a, struct wgsl_exact b) {     \
        if (WG_UNLIKELY_(far))                                                                     \
            return wgsl_exact_##S(value);                                                          \
        if (WG_LIKELY_(exact == value))                                                            \
            return (struct wgsl_exact){exact, (u32)value, 0, 0};                                   \
        return (struct wgsl_exact){exact, (u32)value, wgsl_wraps_##S(site, exact, a, b), 0};       \
    } WGSL_EXACT(S, is_signed, add) WGSL_EXACT(S, is_signed, sub) WGSL_EXACT(S, is_signed, mul)    \
        WGSL_EXACT_ struct wgsl_exact wgsl_exact_shl_##S(u32 site, struct wgsl_exact a,            \
                                                         struct wgsl_exact b) {                    \
        int64_t exact;                                                                             \
        u32 by = b.value % 32;                                                                     \
        bool far = __builtin_mul_overflow(a.exact, (int64_t)1 << by, &exact);                      \
        struct wgsl_exact shifted =                                                                \
            wgsl_exact_of_##S((S)(a.value << by), exact, far, site, a, wgsl_exact_u32(by));        \
        shifted.mixed = a.mixed | (by > 0);                                                        \
        return shifted;                                                                            \
    } /* What comes of operands by other means is theirs where it is not what it should be. */     \
    WG_INLINE_ struct wgsl_exact wgsl_exact_made_##S(S value, int64_t exact, u32 site) {           \
        if (WG_LIKELY_(!site || exact == value))                                                   \
            return wgsl_exact_##S(value);                                                          \
        return (struct wgsl_exact){exact, (u32)value, site, 0};                                    \
    } WGSL_EXACT_ struct wgsl_exact wgsl_exact_min_##S(struct wgsl_exact a, struct wgsl_exact b) { \
        return wgsl_exact_made_##S((S)a.value < (S)b.value ? (S)a.value : (S)b.value,              \
                                   a.exact < b.exact ? a.exact : b.exact,                          \
                                   a.site ? a.site : b.site);                                      \
    } WGSL_EXACT_ struct wgsl_exact wgsl_exact_max_##S(struct wgsl_exact a, struct wgsl_exact b) { \
        return wgsl_exact_made_##S((S)a.value > (S)b.value ? (S)a.value : (S)b.value,              \
                                   a.exact > b.exact ? a.exact : b.exact,                          \
                                   a.site ? a.site : b.site);                                      \
    } WGSL_EXACT_ struct wgsl_exact wgsl_exact_clamp_##S(                                          \
        struct wgsl_exact x, struct wgsl_exact low, struct wgsl_exact high) {                      \
        return wgsl_exact_min_##S(wgsl_exact_max_##S(x, low), high);                               \
    } WGSL_EXACT_ struct wgsl_exact wgsl_exact_div_##S(struct wgsl_exact a, S by) {                \
        int64_t down = a.exact < 0 ? (int64_t)by - 1 : 0;                                          \
        return wgsl_exact_made_##S((S)a.value / by, (a.exact - down) / (int64_t)by, a.site);       \
    } WGSL_EXACT_ struct wgsl_exact wgsl_exact_shr_##S(struct wgsl_exact a, u32 by) {              \
        return wgsl_exact_made_##S((S)a.value >> by, a.exact >> by, a.site);                       \
    } WGSL_EXACT_ struct wgsl_exact wgsl_exact_to_##S(u32 site, struct wgsl_exact a) {             \
        bool turns = !is_signed && a.exact < 0 && a.exact == (i32)a.value;                         \
        if (WG_LIKELY_(a.exact == (S)a.value))                                                     \
            return (struct wgsl_exact){a.exact, a.value, 0, a.mixed};                              \
        return (struct wgsl_exact){a.exact, a.value,                                               \
                                   a.site  ? a.site                                                \
                                   : turns ? wgsl_wrapped_at(site, a.exact)                        \
                                           : 0,                                                    \
                                   a.mixed};                                                       \
    } /* The index of something that has `count` elements. */                                      \
    WGSL_EXACT_ S wgsl_index_##S(struct wg *wg, u32 site, bool wanted, u32 var,                    \
                                 struct wgsl_exact index, uint64_t count) {                        \
        int64_t element = (S)index.value;                                                          \
        if (WG_UNLIKELY_(index.site) && wanted && (uint64_t)element < count)                       \
            wg->ctx->ops->wrapped(wg_caller_(wg), index.site % WGSL_BELOW - 1, site, var, element, \
                                  index.exact, index.site >= WGSL_BELOW);                          \
        return (S)index.value;                                                                     \
    }
WGSL_EXACT_FAMILY(u32, false)
WGSL_EXACT_FAMILY(i32, true)

/* Whether two floats that are equal for a mathematician differ by more than rounding. */
WG_INLINE_ bool wgsl_differ(f32 a, f32 b) {
    f32 difference = a > b ? a - b : b - a, size = (a < 0 ? -a : a) + (b < 0 ? -b : b);
    return difference > size * 1e-3f; /* false where one is not a number */
}
WG_INLINE_ f32 wgsl_plus(bool minus, f32 a, f32 b) {
    return minus ? a - b : a + b;
}
/* (x + y) + z and x + (y + z), with signs. */
WG_INLINE_ f32 f32_left_at(struct wg *wg, u32 site, f32 x, f32 y, f32 z, bool minus_y,
                           bool minus_z) {
    f32 sum = wgsl_plus(minus_z, wgsl_plus(minus_y, x, y), z);
    f32 other = x + wgsl_plus(minus_z, minus_y ? -y : y, z);
    wgsl_advise(wg, site, WG_ARITHMETIC_GROUPING, wgsl_differ(sum, other));
    return sum;
}
WG_INLINE_ f32 f32_right_at(struct wg *wg, u32 site, f32 x, f32 y, f32 z, bool minus,
                            bool minus_z) {
    f32 sum = wgsl_plus(minus, x, wgsl_plus(minus_z, y, z));
    f32 other = wgsl_plus(minus != minus_z, wgsl_plus(minus, x, y), z);
    wgsl_advise(wg, site, WG_ARITHMETIC_GROUPING, wgsl_differ(sum, other));
    return sum;
}
/* A sum of terms, of which those at the bits of `minus` are taken off: one after the other, and
 * those that are added first. */
WG_INLINE_ f32 f32_terms_at(struct wg *wg, u32 site, f32 sum, u32 minus, u32 count,
                            const f32 *terms) {
    f32 in_order = 0, others = 0;
    for (u32 i = 0; i < count; i++) {
        in_order = wgsl_plus(minus >> i & 1, in_order, terms[i]);
        others = minus >> i & 1 ? others : others + terms[i];
    }
    for (u32 i = 0; i < count; i++)
        others = minus >> i & 1 ? others - terms[i] : others;
    wgsl_advise(wg, site, WG_ARITHMETIC_GROUPING,
                wgsl_differ(sum, in_order) || wgsl_differ(sum, others));
    return sum;
}
/* sum - x where sum is x + rest. */
WG_INLINE_ f32 f32_rest_at(struct wg *wg, u32 site, f32 sum, f32 x, f32 rest) {
    wgsl_advise(wg, site, WG_ARITHMETIC_GROUPING, wgsl_differ(sum - x, rest));
    return sum - x;
}

#define WGSL_WRAPPING(op)                                                                          \
    WG_INLINE_ i32 i32_##op##_at(struct wg *wg, u32 site, i32 a, i32 b) {                          \
        i32 wrapped;                                                                               \
        wgsl_advise(wg, site, WG_ARITHMETIC_OVERFLOW, __builtin_##op##_overflow(a, b, &wrapped));  \
        return wrapped;                                                                            \
    }
WGSL_WRAPPING(add)
WGSL_WRAPPING(sub)
WGSL_WRAPPING(mul)
WG_INLINE_ void wgsl_advise_division(struct wg *wg, u32 site, bool is_signed, u32 a, u32 b) {
    wgsl_advise(wg, site, WG_ARITHMETIC_DIVIDE_BY_ZERO, b == 0);
    wgsl_advise(wg, site, WG_ARITHMETIC_OVERFLOW, is_signed && b == ~0u && a == 0x80000000u);
}
#define WGSL_DIVISION(V, S, op, is_signed)                                                         \
    WG_INLINE_ S S##_##op##_at(struct wg *wg, u32 site, S a, S b) {                                \
        wgsl_advise_division(wg, site, is_signed, (u32)a, (u32)b);                                 \
        return S##_##op(a, b);                                                                     \
    }                                                                                              \
    WGSL_DIVISIONS(2, V, op, is_signed)                                                            \
    WGSL_DIVISIONS(3, V, op, is_signed)                                                            \
    WGSL_DIVISIONS(4, V, op, is_signed)
#define WGSL_DIVISIONS(n, V, op, is_signed)                                                        \
    WGSL_FN vec##n##V vec##n##V##_##op##_at(struct wg *wg, u32 site, vec##n##V a, vec##n##V b) {   \
        for (int k = 0; k < n; k++)                                                                \
            wgsl_advise_division(wg, site, is_signed, (u32)a[k], (u32)b[k]);                       \
        return vec##n##V##_##op(a, b);                                                             \
    }
WGSL_DIVISION(i, i32, div, true)
WGSL_DIVISION(i, i32, rem, true)
WGSL_DIVISION(u, u32, div, false)
WGSL_DIVISION(u, u32, rem, false)
/* The remainder of a number a little below zero: right, too, where the divisor is a power of two.
 * What wrapped otherwise is a hash. */
WGSL_EXACT_ struct wgsl_exact wgsl_exact_rem_u32(struct wg *wg, u32 site, struct wgsl_exact a,
                                                 struct wgsl_exact b) {
    u32 value = u32_rem_at(wg, site, a.value, b.value);
    if (WG_LIKELY_(!a.site || a.exact >= 0 || a.exact < -0x10000 || a.mixed || !b.value))
        return wgsl_exact_u32(value);
    int64_t rest = a.exact % (int64_t)b.value;
    return wgsl_exact_made_u32(value, rest < 0 ? rest + b.value : rest, a.site);
}
#define WGSL_SHIFT(V, S, op)                                                                       \
    WG_INLINE_ S S##_##op##_at(struct wg *wg, u32 site, S a, u32 b) {                              \
        wgsl_advise(wg, site, WG_ARITHMETIC_SHIFT, b >= 32);                                       \
        return S##_##op(a, b);                                                                     \
    }                                                                                              \
    WGSL_SHIFTS(2, V, op)                                                                          \
    WGSL_SHIFTS(3, V, op)                                                                          \
    WGSL_SHIFTS(4, V, op)
#define WGSL_SHIFTS(n, V, op)                                                                      \
    WGSL_FN vec##n##V vec##n##V##_##op##_at(struct wg *wg, u32 site, vec##n##V a, vec##n##u b) {   \
        for (int k = 0; k < n; k++)                                                                \
            wgsl_advise(wg, site, WG_ARITHMETIC_SHIFT, b[k] >= 32);                                \
        return vec##n##V##_##op(a, b);                                                             \
    }
WGSL_SHIFT(i, i32, shl)
WGSL_SHIFT(i, i32, shr)
WGSL_SHIFT(u, u32, shl)
WGSL_SHIFT(u, u32, shr)
WG_INLINE_ i32 i32_from_f32_at(struct wg *wg, u32 site, f32 x) {
    wgsl_advise(wg, site, WG_ARITHMETIC_CONVERSION, !(x >= -2147483648.0f && x < 2147483648.0f));
    return i32_from_f32(x);
}
WG_INLINE_ u32 u32_from_f32_at(struct wg *wg, u32 site, f32 x) {
    wgsl_advise(wg, site, WG_ARITHMETIC_CONVERSION, !(x > -1.0f && x < 4294967296.0f));
    return u32_from_f32(x);
}

/* ---- Marks ---- */

/* A loop: WGSL_LOOP(site, for (;;)) { ... } */
#define WGSL_LOOP(site, header) WG_LOOP_AT_(site, header)
/* First in a block around an if or a switch. */
#define WGSL_BRANCH(site)                                                                          \
    struct wg_branch_ wg_branch_now_ __attribute__((cleanup(wg_branch_leave_), unused)) =          \
        wg_branch_enter_(wg, site)
/* A call of a function that accesses memory. */
#define WGSL_CALL(site, ...)                                                                       \
    __extension__({                                                                                \
        struct wg_call_ call_ __attribute__((cleanup(wg_call_leave_), unused)) =                   \
            wg_call_enter_(wg, site);                                                              \
        __VA_ARGS__;                                                                               \
    })

#endif
