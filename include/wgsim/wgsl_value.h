/* WGSL's values and builtin functions in C: what translated shaders are written with.
 *
 * A scalar keeps its WGSL name (f32, i32, u32, bool); f16 is an f32 that is rounded after every
 * operation. vec3f is a vector of the compiler with a fourth lane that nothing reads. A vector of
 * bool holds 0 or -1 in each lane. A function is named TYPE_builtin after the type it returns or
 * works on, TO_from_FROM converts. Compile with -fwrapv -fno-strict-aliasing -ffp-contract=off
 * -fno-math-errno; needs gcc 12, clang 12 or newer. */
#ifndef WGSIM_WGSL_VALUE_H
#define WGSIM_WGSL_VALUE_H

#include <stdbool.h>
#include <stdint.h>

typedef float f32;
typedef float f16;
typedef int32_t i32;
typedef uint32_t u32;

typedef f32 vec2f __attribute__((vector_size(8)));
typedef f32 vec3f __attribute__((vector_size(16)));
typedef f32 vec4f __attribute__((vector_size(16)));
typedef i32 vec2i __attribute__((vector_size(8)));
typedef i32 vec3i __attribute__((vector_size(16)));
typedef i32 vec4i __attribute__((vector_size(16)));
typedef u32 vec2u __attribute__((vector_size(8)));
typedef u32 vec3u __attribute__((vector_size(16)));
typedef u32 vec4u __attribute__((vector_size(16)));
typedef vec2f vec2h;
typedef vec3f vec3h;
typedef vec4f vec4h;
typedef vec2i vec2b;
typedef vec3i vec3b;
typedef vec4i vec4b;

#define WGSL_FN static inline __attribute__((unused))

/* Swizzles of two, three and four components; the fourth lane of a vec3 repeats its first. */
#define wgsl_swizzle2(v, i, j) __builtin_shufflevector((v), (v), i, j)
#define wgsl_swizzle3(v, i, j, k) __builtin_shufflevector((v), (v), i, j, k, i)
#define wgsl_swizzle4(v, i, j, k, l) __builtin_shufflevector((v), (v), i, j, k, l)

/* Families: the vector forms of a function of one, two or three scalars S. V is the letter of the
 * arguments' type, R the letter of the result's. */
#define WGSL_MAP1(R, V, S, op)                                                                     \
    WGSL_FN vec2##R vec2##V##_##op(vec2##V a) {                                                    \
        return (vec2##R){S##_##op(a[0]), S##_##op(a[1])};                                          \
    }                                                                                              \
    WGSL_FN vec3##R vec3##V##_##op(vec3##V a) {                                                    \
        return (vec3##R){S##_##op(a[0]), S##_##op(a[1]), S##_##op(a[2])};                          \
    }                                                                                              \
    WGSL_FN vec4##R vec4##V##_##op(vec4##V a) {                                                    \
        return (vec4##R){S##_##op(a[0]), S##_##op(a[1]), S##_##op(a[2]), S##_##op(a[3])};          \
    }
#define WGSL_MAP2(V, W, S, op)                                                                     \
    WGSL_FN vec2##V vec2##V##_##op(vec2##V a, vec2##W b) {                                         \
        return (vec2##V){S##_##op(a[0], b[0]), S##_##op(a[1], b[1])};                              \
    }                                                                                              \
    WGSL_FN vec3##V vec3##V##_##op(vec3##V a, vec3##W b) {                                         \
        return (vec3##V){S##_##op(a[0], b[0]), S##_##op(a[1], b[1]), S##_##op(a[2], b[2])};        \
    }                                                                                              \
    WGSL_FN vec4##V vec4##V##_##op(vec4##V a, vec4##W b) {                                         \
        return (vec4##V){S##_##op(a[0], b[0]), S##_##op(a[1], b[1]), S##_##op(a[2], b[2]),         \
                         S##_##op(a[3], b[3])};                                                    \
    }
#define WGSL_MAP3(V, S, op)                                                                        \
    WGSL_FN vec2##V vec2##V##_##op(vec2##V a, vec2##V b, vec2##V c) {                              \
        return (vec2##V){S##_##op(a[0], b[0], c[0]), S##_##op(a[1], b[1], c[1])};                  \
    }                                                                                              \
    WGSL_FN vec3##V vec3##V##_##op(vec3##V a, vec3##V b, vec3##V c) {                              \
        return (vec3##V){S##_##op(a[0], b[0], c[0]), S##_##op(a[1], b[1], c[1]),                   \
                         S##_##op(a[2], b[2], c[2])};                                              \
    }                                                                                              \
    WGSL_FN vec4##V vec4##V##_##op(vec4##V a, vec4##V b, vec4##V c) {                              \
        return (vec4##V){S##_##op(a[0], b[0], c[0]), S##_##op(a[1], b[1], c[1]),                   \
                         S##_##op(a[2], b[2], c[2]), S##_##op(a[3], b[3], c[3])};                  \
    }

/* -- construction
 * -----------------------------------------------------------------------------------------------
 */

/* make: from scalars. splat: one scalar in every component. make21 and the like: from vectors of
 * these sizes. */
#define WGSL_MAKE(V, S, L)                                                                         \
    WGSL_FN vec2##V vec2##V##_make(S x, S y) {                                                     \
        return (vec2##V){L(x), L(y)};                                                              \
    }                                                                                              \
    WGSL_FN vec3##V vec3##V##_make(S x, S y, S z) {                                                \
        return (vec3##V){L(x), L(y), L(z)};                                                        \
    }                                                                                              \
    WGSL_FN vec4##V vec4##V##_make(S x, S y, S z, S w) {                                           \
        return (vec4##V){L(x), L(y), L(z), L(w)};                                                  \
    }                                                                                              \
    WGSL_FN vec2##V vec2##V##_splat(S x) {                                                         \
        return (vec2##V){L(x), L(x)};                                                              \
    }                                                                                              \
    WGSL_FN vec3##V vec3##V##_splat(S x) {                                                         \
        return (vec3##V){L(x), L(x), L(x), L(x)};                                                  \
    }                                                                                              \
    WGSL_FN vec4##V vec4##V##_splat(S x) {                                                         \
        return (vec4##V){L(x), L(x), L(x), L(x)};                                                  \
    }                                                                                              \
    WGSL_FN vec3##V vec3##V##_make21(vec2##V a, S z) {                                             \
        return (vec3##V){a[0], a[1], L(z)};                                                        \
    }                                                                                              \
    WGSL_FN vec3##V vec3##V##_make12(S x, vec2##V b) {                                             \
        return (vec3##V){L(x), b[0], b[1]};                                                        \
    }                                                                                              \
    WGSL_FN vec4##V vec4##V##_make211(vec2##V a, S z, S w) {                                       \
        return (vec4##V){a[0], a[1], L(z), L(w)};                                                  \
    }                                                                                              \
    WGSL_FN vec4##V vec4##V##_make121(S x, vec2##V b, S w) {                                       \
        return (vec4##V){L(x), b[0], b[1], L(w)};                                                  \
    }                                                                                              \
    WGSL_FN vec4##V vec4##V##_make112(S x, S y, vec2##V c) {                                       \
        return (vec4##V){L(x), L(y), c[0], c[1]};                                                  \
    }                                                                                              \
    WGSL_FN vec4##V vec4##V##_make22(vec2##V a, vec2##V b) {                                       \
        return (vec4##V){a[0], a[1], b[0], b[1]};                                                  \
    }                                                                                              \
    WGSL_FN vec4##V vec4##V##_make31(vec3##V a, S w) {                                             \
        return (vec4##V){a[0], a[1], a[2], L(w)};                                                  \
    }                                                                                              \
    WGSL_FN vec4##V vec4##V##_make13(S x, vec3##V b) {                                             \
        return (vec4##V){L(x), b[0], b[1], b[2]};                                                  \
    }
WGSL_MAKE(f, f32, )
WGSL_MAKE(i, i32, )
WGSL_MAKE(u, u32, )
WGSL_MAKE(b, bool, -(i32))

/* -- conversion
 * -------------------------------------------------------------------------------------------------
 */

/* A float outside the integer type's range becomes the nearest value that both types hold; NaN
 * becomes 0. */
WGSL_FN i32 i32_from_f32(f32 x) {
    if (!(x > -2147483648.0f)) {
        return x != x ? 0 : INT32_MIN;
    }
    return x < 2147483648.0f ? (i32)x : 2147483520;
}
WGSL_FN u32 u32_from_f32(f32 x) {
    if (!(x > 0.0f)) {
        return 0;
    }
    return x < 4294967296.0f ? (u32)x : 4294967040u;
}
WGSL_FN bool bool_from_f32(f32 x) {
    return x != 0.0f;
}
WGSL_FN f32 f32_from_i32(i32 x) {
    return (f32)x;
}
WGSL_FN f32 f32_from_u32(u32 x) {
    return (f32)x;
}
WGSL_FN f32 f32_from_bool(bool x) {
    return (f32)x;
}
WGSL_FN i32 i32_from_u32(u32 x) {
    return (i32)x;
}
WGSL_FN i32 i32_from_bool(bool x) {
    return (i32)x;
}
WGSL_FN u32 u32_from_i32(i32 x) {
    return (u32)x;
}
WGSL_FN u32 u32_from_bool(bool x) {
    return (u32)x;
}
WGSL_FN bool bool_from_i32(i32 x) {
    return x != 0;
}
WGSL_FN bool bool_from_u32(u32 x) {
    return x != 0;
}

#define WGSL_CONVERT(n)                                                                            \
    WGSL_FN vec##n##f vec##n##f_from_vec##n##i(vec##n##i a) {                                      \
        return __builtin_convertvector(a, vec##n##f);                                              \
    }                                                                                              \
    WGSL_FN vec##n##f vec##n##f_from_vec##n##u(vec##n##u a) {                                      \
        return __builtin_convertvector(a, vec##n##f);                                              \
    }                                                                                              \
    WGSL_FN vec##n##f vec##n##f_from_vec##n##b(vec##n##b a) {                                      \
        return __builtin_convertvector(-a, vec##n##f);                                             \
    }                                                                                              \
    WGSL_FN vec##n##i vec##n##i_from_vec##n##u(vec##n##u a) {                                      \
        return (vec##n##i)a;                                                                       \
    }                                                                                              \
    WGSL_FN vec##n##i vec##n##i_from_vec##n##b(vec##n##b a) {                                      \
        return -a;                                                                                 \
    }                                                                                              \
    WGSL_FN vec##n##u vec##n##u_from_vec##n##i(vec##n##i a) {                                      \
        return (vec##n##u)a;                                                                       \
    }                                                                                              \
    WGSL_FN vec##n##u vec##n##u_from_vec##n##b(vec##n##b a) {                                      \
        return (vec##n##u) - a;                                                                    \
    }                                                                                              \
    WGSL_FN vec##n##b vec##n##b_from_vec##n##f(vec##n##f a) {                                      \
        return a != (vec##n##f){0};                                                                \
    }                                                                                              \
    WGSL_FN vec##n##b vec##n##b_from_vec##n##i(vec##n##i a) {                                      \
        return a != (vec##n##i){0};                                                                \
    }                                                                                              \
    WGSL_FN vec##n##b vec##n##b_from_vec##n##u(vec##n##u a) {                                      \
        return a != (vec##n##u){0};                                                                \
    }
WGSL_CONVERT(2)
WGSL_CONVERT(3)
WGSL_CONVERT(4)
WGSL_FN vec2i vec2i_from_vec2f(vec2f a) {
    return (vec2i){i32_from_f32(a[0]), i32_from_f32(a[1])};
}
WGSL_FN vec3i vec3i_from_vec3f(vec3f a) {
    return (vec3i){i32_from_f32(a[0]), i32_from_f32(a[1]), i32_from_f32(a[2])};
}
WGSL_FN vec4i vec4i_from_vec4f(vec4f a) {
    return (vec4i){i32_from_f32(a[0]), i32_from_f32(a[1]), i32_from_f32(a[2]), i32_from_f32(a[3])};
}
WGSL_FN vec2u vec2u_from_vec2f(vec2f a) {
    return (vec2u){u32_from_f32(a[0]), u32_from_f32(a[1])};
}
WGSL_FN vec3u vec3u_from_vec3f(vec3f a) {
    return (vec3u){u32_from_f32(a[0]), u32_from_f32(a[1]), u32_from_f32(a[2])};
}
WGSL_FN vec4u vec4u_from_vec4f(vec4f a) {
    return (vec4u){u32_from_f32(a[0]), u32_from_f32(a[1]), u32_from_f32(a[2]), u32_from_f32(a[3])};
}

/* Bits of a scalar; vectors of f32, i32 and u32 are cast, which keeps their bits. */
WGSL_FN u32 u32_bitcast_f32(f32 x) {
    u32 bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}
WGSL_FN f32 f32_bitcast_u32(u32 bits) {
    f32 x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}
WGSL_FN i32 i32_bitcast_f32(f32 x) {
    return (i32)u32_bitcast_f32(x);
}
WGSL_FN f32 f32_bitcast_i32(i32 bits) {
    return f32_bitcast_u32((u32)bits);
}

/* -- f16
 * --------------------------------------------------------------------------------------------------------
 */

/* The nearest f16 value, ties to even, as an f32; beyond the range infinity. */
WGSL_FN f16 f16_round(f32 x) {
    u32 bits = u32_bitcast_f32(x), magnitude = bits & 0x7fffffffu;
    if (magnitude >= 0x477ff000u) {
        return magnitude > 0x7f800000u ? x : __builtin_copysignf(__builtin_inff(), x);
    }
    if (magnitude < 0x38800000u) { /* a subnormal f16 is a multiple of 2^-24, the unit in the last
                                      place of 0.75 */
        return __builtin_copysignf((__builtin_fabsf(x) + 0.75f) - 0.75f, x);
    }
    return f32_bitcast_u32((bits + 0xfffu + (bits >> 13 & 1u)) & ~0x1fffu);
}
WGSL_FN u32 f16_to_bits(f32 x) {
    u32 bits = u32_bitcast_f32(f16_round(x)), sign = bits >> 16 & 0x8000u,
        magnitude = bits & 0x7fffffffu;
    if (magnitude >= 0x7f800000u) {
        return sign | (magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u);
    }
    if (magnitude < 0x38800000u) {
        return sign | (u32)(__builtin_fabsf(f32_bitcast_u32(bits)) * 16777216.0f);
    }
    return sign | ((magnitude - 0x38000000u) >> 13);
}
WGSL_FN f16 f16_from_bits(u32 half) {
    u32 sign = (half & 0x8000u) << 16, magnitude = half & 0x7fffu;
    if (magnitude >= 0x7c00u) {
        return f32_bitcast_u32(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
    }
    if (magnitude < 0x400u) {
        return f32_bitcast_u32(sign | u32_bitcast_f32((f32)magnitude * (1.0f / 16777216.0f)));
    }
    return f32_bitcast_u32(sign | ((magnitude << 13) + 0x38000000u));
}
WGSL_FN vec2h vec2h_round(vec2f a) {
    return (vec2h){f16_round(a[0]), f16_round(a[1])};
}
WGSL_FN vec3h vec3h_round(vec3f a) {
    return (vec3h){f16_round(a[0]), f16_round(a[1]), f16_round(a[2])};
}
WGSL_FN vec4h vec4h_round(vec4f a) {
    return (vec4h){f16_round(a[0]), f16_round(a[1]), f16_round(a[2]), f16_round(a[3])};
}
WGSL_FN f32 f32_quantizeToF16(f32 x) {
    return f16_round(x);
}
WGSL_MAP1(f, f, f32, quantizeToF16)
WGSL_FN u32 u32_pack2x16float(vec2f a) {
    return f16_to_bits(a[0]) | f16_to_bits(a[1]) << 16;
}
WGSL_FN vec2f vec2f_unpack2x16float(u32 e) {
    return (vec2f){f16_from_bits(e & 0xffffu), f16_from_bits(e >> 16)};
}
WGSL_FN vec2u vec2u_bitcast_vec4h(vec4h a) {
    return (vec2u){u32_pack2x16float((vec2f){a[0], a[1]}), u32_pack2x16float((vec2f){a[2], a[3]})};
}
WGSL_FN vec4h vec4h_bitcast_vec2u(vec2u a) {
    return vec4f_make22(vec2f_unpack2x16float(a[0]), vec2f_unpack2x16float(a[1]));
}

/* -- integers
 * ---------------------------------------------------------------------------------------------------
 */

/* x / 0 is x, x % 0 is 0, the quotient that does not fit wraps. */
WGSL_FN i32 i32_div(i32 a, i32 b) {
    return b == 0 ? a : b == -1 ? -a : a / b;
}
WGSL_FN i32 i32_rem(i32 a, i32 b) {
    return b == 0 || b == -1 ? 0 : a % b;
}
WGSL_FN u32 u32_div(u32 a, u32 b) {
    return b == 0 ? a : a / b;
}
WGSL_FN u32 u32_rem(u32 a, u32 b) {
    return b == 0 ? 0 : a % b;
}
/* Shifts use the count modulo 32. */
WGSL_FN i32 i32_shl(i32 a, u32 b) {
    return (i32)((u32)a << (b & 31u));
}
WGSL_FN i32 i32_shr(i32 a, u32 b) {
    return a >> (b & 31u);
}
WGSL_FN u32 u32_shl(u32 a, u32 b) {
    return a << (b & 31u);
}
WGSL_FN u32 u32_shr(u32 a, u32 b) {
    return a >> (b & 31u);
}
WGSL_FN i32 i32_abs(i32 a) {
    return a < 0 ? -a : a;
}
WGSL_FN u32 u32_abs(u32 a) {
    return a;
}
WGSL_FN i32 i32_sign(i32 a) {
    return (a > 0) - (a < 0);
}
WGSL_FN u32 u32_countOneBits(u32 a) {
    a = a - (a >> 1 & 0x55555555u);
    a = (a & 0x33333333u) + (a >> 2 & 0x33333333u);
    return ((a + (a >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}
WGSL_FN u32 u32_countLeadingZeros(u32 a) {
    return a ? (u32)__builtin_clz(a) : 32;
}
WGSL_FN u32 u32_countTrailingZeros(u32 a) {
    return a ? (u32)__builtin_ctz(a) : 32;
}
WGSL_FN u32 u32_firstLeadingBit(u32 a) {
    return a ? 31u - (u32)__builtin_clz(a) : ~0u;
}
WGSL_FN u32 u32_firstTrailingBit(u32 a) {
    return a ? (u32)__builtin_ctz(a) : ~0u;
}
WGSL_FN u32 u32_reverseBits(u32 a) {
    a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
    a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
    a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(a);
}
WGSL_FN i32 i32_countOneBits(i32 a) {
    return (i32)u32_countOneBits((u32)a);
}
WGSL_FN i32 i32_countLeadingZeros(i32 a) {
    return (i32)u32_countLeadingZeros((u32)a);
}
WGSL_FN i32 i32_countTrailingZeros(i32 a) {
    return (i32)u32_countTrailingZeros((u32)a);
}
/* For a negative number the highest bit that differs from the sign. */
WGSL_FN i32 i32_firstLeadingBit(i32 a) {
    return (i32)u32_firstLeadingBit(a < 0 ? ~(u32)a : (u32)a);
}
WGSL_FN i32 i32_firstTrailingBit(i32 a) {
    return (i32)u32_firstTrailingBit((u32)a);
}
WGSL_FN i32 i32_reverseBits(i32 a) {
    return (i32)u32_reverseBits((u32)a);
}
/* Offset and count are cut to the 32 bits there are. */
WGSL_FN u32 u32_extractBits(u32 a, u32 offset, u32 count) {
    u32 o = offset < 32 ? offset : 32, c = count < 32 - o ? count : 32 - o;
    return c == 0 ? 0 : a << (32 - c - o) >> (32 - c);
}
WGSL_FN i32 i32_extractBits(i32 a, u32 offset, u32 count) {
    u32 o = offset < 32 ? offset : 32, c = count < 32 - o ? count : 32 - o;
    return c == 0 ? 0 : (i32)((u32)a << (32 - c - o)) >> (32 - c);
}
WGSL_FN u32 u32_insertBits(u32 a, u32 bits, u32 offset, u32 count) {
    u32 o = offset < 32 ? offset : 32, c = count < 32 - o ? count : 32 - o;
    u32 mask = c == 0 ? 0 : (~0u >> (32 - c)) << o;
    return (a & ~mask) | ((o < 32 ? bits << o : 0) & mask);
}
WGSL_FN i32 i32_insertBits(i32 a, i32 bits, u32 offset, u32 count) {
    return (i32)u32_insertBits((u32)a, (u32)bits, offset, count);
}

#define WGSL_INTEGER(V, S)                                                                         \
    WGSL_FN S S##_min(S a, S b) {                                                                  \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    WGSL_FN S S##_max(S a, S b) {                                                                  \
        return a < b ? b : a;                                                                      \
    }                                                                                              \
    WGSL_FN S S##_clamp(S a, S low, S high) {                                                      \
        return S##_min(S##_max(a, low), high);                                                     \
    }                                                                                              \
    WGSL_MAP2(V, V, S, div)                                                                        \
    WGSL_MAP2(V, V, S, rem)                                                                        \
    WGSL_MAP2(V, u, S, shl)                                                                        \
    WGSL_MAP2(V, u, S, shr)                                                                        \
    WGSL_MAP2(V, V, S, min)                                                                        \
    WGSL_MAP2(V, V, S, max)                                                                        \
    WGSL_MAP3(V, S, clamp)                                                                         \
    WGSL_MAP1(V, V, S, abs)                                                                        \
    WGSL_MAP1(V, V, S, countOneBits)                                                               \
    WGSL_MAP1(V, V, S, countLeadingZeros)                                                          \
    WGSL_MAP1(V, V, S, countTrailingZeros)                                                         \
    WGSL_MAP1(V, V, S, firstLeadingBit)                                                            \
    WGSL_MAP1(V, V, S, firstTrailingBit)                                                           \
    WGSL_MAP1(V, V, S, reverseBits)                                                                \
    WGSL_BITS(V, S, 2)                                                                             \
    WGSL_BITS(V, S, 3)                                                                             \
    WGSL_BITS(V, S, 4)                                                                             \
    WGSL_FN S vec2##V##_dot(vec2##V a, vec2##V b) {                                                \
        return a[0] * b[0] + a[1] * b[1];                                                          \
    }                                                                                              \
    WGSL_FN S vec3##V##_dot(vec3##V a, vec3##V b) {                                                \
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];                                            \
    }                                                                                              \
    WGSL_FN S vec4##V##_dot(vec4##V a, vec4##V b) {                                                \
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];                              \
    }
#define WGSL_BITS(V, S, n)                                                                         \
    WGSL_FN vec##n##V vec##n##V##_extractBits(vec##n##V a, u32 offset, u32 count) {                \
        for (int k = 0; k < n; k++) {                                                              \
            a[k] = S##_extractBits(a[k], offset, count);                                           \
        }                                                                                          \
        return a;                                                                                  \
    }                                                                                              \
    WGSL_FN vec##n##V vec##n##V##_insertBits(vec##n##V a, vec##n##V bits, u32 offset, u32 count) { \
        for (int k = 0; k < n; k++) {                                                              \
            a[k] = S##_insertBits(a[k], bits[k], offset, count);                                   \
        }                                                                                          \
        return a;                                                                                  \
    }
WGSL_INTEGER(i, i32)
WGSL_INTEGER(u, u32)
WGSL_MAP1(i, i, i32, sign)

/* -- bool
 * -------------------------------------------------------------------------------------------------------
 */

WGSL_FN bool bool_all(bool a) {
    return a;
}
WGSL_FN bool bool_any(bool a) {
    return a;
}
WGSL_FN bool vec2b_all(vec2b a) {
    return (a[0] & a[1]) != 0;
}
WGSL_FN bool vec3b_all(vec3b a) {
    return (a[0] & a[1] & a[2]) != 0;
}
WGSL_FN bool vec4b_all(vec4b a) {
    return (a[0] & a[1] & a[2] & a[3]) != 0;
}
WGSL_FN bool vec2b_any(vec2b a) {
    return (a[0] | a[1]) != 0;
}
WGSL_FN bool vec3b_any(vec3b a) {
    return (a[0] | a[1] | a[2]) != 0;
}
WGSL_FN bool vec4b_any(vec4b a) {
    return (a[0] | a[1] | a[2] | a[3]) != 0;
}

/* select: both values are evaluated, `t` is the result where the condition holds. */
#define WGSL_SELECT(V, S)                                                                          \
    WGSL_FN S S##_select(S f, S t, bool c) {                                                       \
        return c ? t : f;                                                                          \
    }                                                                                              \
    WGSL_FN vec2##V vec2##V##_select(vec2##V f, vec2##V t, vec2b c) {                              \
        return (vec2##V)(((vec2i)t & c) | ((vec2i)f & ~c));                                        \
    }                                                                                              \
    WGSL_FN vec3##V vec3##V##_select(vec3##V f, vec3##V t, vec3b c) {                              \
        return (vec3##V)(((vec3i)t & c) | ((vec3i)f & ~c));                                        \
    }                                                                                              \
    WGSL_FN vec4##V vec4##V##_select(vec4##V f, vec4##V t, vec4b c) {                              \
        return (vec4##V)(((vec4i)t & c) | ((vec4i)f & ~c));                                        \
    }
WGSL_SELECT(f, f32)
WGSL_SELECT(i, i32)
WGSL_SELECT(u, u32)
WGSL_SELECT(b, bool)

/* -- floats
 * -----------------------------------------------------------------------------------------------------
 */

#define WGSL_FLOAT1(name, expression)                                                              \
    WGSL_FN f32 f32_##name(f32 x) {                                                                \
        return expression;                                                                         \
    }                                                                                              \
    WGSL_MAP1(f, f, f32, name)
#define WGSL_FLOAT2(name, expression)                                                              \
    WGSL_FN f32 f32_##name(f32 x, f32 y) {                                                         \
        return expression;                                                                         \
    }                                                                                              \
    WGSL_MAP2(f, f, f32, name)
#define WGSL_FLOAT3(name, expression)                                                              \
    WGSL_FN f32 f32_##name(f32 x, f32 y, f32 z) {                                                  \
        return expression;                                                                         \
    }                                                                                              \
    WGSL_MAP3(f, f32, name)

WGSL_FLOAT1(abs, __builtin_fabsf(x))
WGSL_FLOAT1(acos, __builtin_acosf(x))
WGSL_FLOAT1(acosh, __builtin_acoshf(x))
WGSL_FLOAT1(asin, __builtin_asinf(x))
WGSL_FLOAT1(asinh, __builtin_asinhf(x))
WGSL_FLOAT1(atan, __builtin_atanf(x))
WGSL_FLOAT1(atanh, __builtin_atanhf(x))
WGSL_FLOAT1(ceil, __builtin_ceilf(x))
WGSL_FLOAT1(cos, __builtin_cosf(x))
WGSL_FLOAT1(cosh, __builtin_coshf(x))
WGSL_FLOAT1(degrees, x * 57.295779513082322865f)
WGSL_FLOAT1(exp, __builtin_expf(x))
WGSL_FLOAT1(exp2, __builtin_exp2f(x))
WGSL_FLOAT1(floor, __builtin_floorf(x))
WGSL_FLOAT1(fract, x - __builtin_floorf(x))
WGSL_FLOAT1(inverseSqrt, 1.0f / __builtin_sqrtf(x))
WGSL_FLOAT1(log, __builtin_logf(x))
WGSL_FLOAT1(log2, __builtin_log2f(x))
WGSL_FLOAT1(radians, x * 0.017453292519943295474f)
WGSL_FLOAT1(round, __builtin_rintf(x))
WGSL_FLOAT1(saturate, __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f))
WGSL_FLOAT1(sign, (f32)((x > 0.0f) - (x < 0.0f)))
WGSL_FLOAT1(sin, __builtin_sinf(x))
WGSL_FLOAT1(sinh, __builtin_sinhf(x))
WGSL_FLOAT1(sqrt, __builtin_sqrtf(x))
WGSL_FLOAT1(tan, __builtin_tanf(x))
WGSL_FLOAT1(tanh, __builtin_tanhf(x))
WGSL_FLOAT1(trunc, __builtin_truncf(x))
WGSL_FLOAT2(atan2, __builtin_atan2f(x, y))
WGSL_FLOAT2(max, __builtin_fmaxf(x, y))
WGSL_FLOAT2(min, __builtin_fminf(x, y))
WGSL_FLOAT2(pow, __builtin_powf(x, y))
WGSL_FLOAT2(rem, __builtin_fmodf(x, y))
WGSL_FLOAT2(step, x <= y ? 1.0f : 0.0f)
WGSL_FLOAT3(clamp, __builtin_fminf(__builtin_fmaxf(x, y), z))
WGSL_FLOAT3(fma, __builtin_fmaf(x, y, z))
WGSL_FLOAT3(mix, x *(1.0f - z) + y * z)
WGSL_FN f32 f32_smoothstep(f32 low, f32 high, f32 x) {
    f32 t = f32_saturate((x - low) / (high - low));
    return t * t * (3.0f - 2.0f * t);
}
WGSL_MAP3(f, f32, smoothstep)
WGSL_FN f32 f32_ldexp(f32 x, i32 e) {
    return __builtin_ldexpf(x, e);
}
WGSL_MAP2(f, i, f32, ldexp)

/* Geometry. */
#define WGSL_GEOMETRY(n)                                                                           \
    WGSL_FN f32 vec##n##f_length(vec##n##f a) {                                                    \
        return __builtin_sqrtf(vec##n##f_dot(a, a));                                               \
    }                                                                                              \
    WGSL_FN f32 vec##n##f_distance(vec##n##f a, vec##n##f b) {                                     \
        return vec##n##f_length(a - b);                                                            \
    }                                                                                              \
    WGSL_FN vec##n##f vec##n##f_normalize(vec##n##f a) {                                           \
        return a / vec##n##f_splat(vec##n##f_length(a));                                           \
    }                                                                                              \
    WGSL_FN vec##n##f vec##n##f_faceForward(vec##n##f a, vec##n##f i, vec##n##f g) {               \
        return vec##n##f_dot(i, g) < 0.0f ? a : -a;                                                \
    }                                                                                              \
    WGSL_FN vec##n##f vec##n##f_reflect(vec##n##f i, vec##n##f normal) {                           \
        return i - vec##n##f_splat(2.0f * vec##n##f_dot(normal, i)) * normal;                      \
    }                                                                                              \
    WGSL_FN vec##n##f vec##n##f_refract(vec##n##f i, vec##n##f normal, f32 eta) {                  \
        f32 d = vec##n##f_dot(normal, i), k = 1.0f - eta * eta * (1.0f - d * d);                   \
        if (k < 0.0f) {                                                                            \
            return (vec##n##f){0};                                                                 \
        }                                                                                          \
        return vec##n##f_splat(eta) * i - vec##n##f_splat(eta * d + __builtin_sqrtf(k)) * normal;  \
    }
WGSL_FN f32 vec2f_dot(vec2f a, vec2f b) {
    return a[0] * b[0] + a[1] * b[1];
}
WGSL_FN f32 vec3f_dot(vec3f a, vec3f b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
WGSL_FN f32 vec4f_dot(vec4f a, vec4f b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}
WGSL_GEOMETRY(2)
WGSL_GEOMETRY(3)
WGSL_GEOMETRY(4)
WGSL_FN f32 f32_length(f32 a) {
    return __builtin_fabsf(a);
}
WGSL_FN f32 f32_distance(f32 a, f32 b) {
    return __builtin_fabsf(a - b);
}
WGSL_FN vec3f vec3f_cross(vec3f a, vec3f b) {
    return (vec3f){a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/* modf and frexp return structures; those of f16 are the same, since the parts are exact. */
#define WGSL_PARTS(T, F, I)                                                                        \
    struct modf_##T {                                                                              \
        F fract, whole;                                                                            \
    };                                                                                             \
    struct frexp_##T {                                                                             \
        F fract;                                                                                   \
        I exp;                                                                                     \
    };                                                                                             \
    WGSL_FN struct modf_##T T##_modf(F x) {                                                        \
        F whole = T##_trunc(x);                                                                    \
        return (struct modf_##T){T##_fraction(x, whole), whole};                                   \
    }
WGSL_FN f32 f32_fraction(f32 x, f32 whole) {
    return __builtin_copysignf(x == whole ? 0.0f : x - whole, x);
}
WGSL_MAP2(f, f, f32, fraction)
WGSL_PARTS(f32, f32, i32)
WGSL_PARTS(vec2f, vec2f, vec2i)
WGSL_PARTS(vec3f, vec3f, vec3i)
WGSL_PARTS(vec4f, vec4f, vec4i)
WGSL_FN struct frexp_f32 f32_frexp(f32 x) {
    int e = 0;
    f32 fract = __builtin_frexpf(x, &e);
    return (struct frexp_f32){fract, x - x == 0.0f ? e : 0};
}
#define WGSL_FREXP(n)                                                                              \
    WGSL_FN struct frexp_vec##n##f vec##n##f_frexp(vec##n##f x) {                                  \
        struct frexp_vec##n##f r = {{0}, {0}};                                                     \
        for (int k = 0; k < n; k++) {                                                              \
            struct frexp_f32 part = f32_frexp(x[k]);                                               \
            r.fract[k] = part.fract;                                                               \
            r.exp[k] = part.exp;                                                                   \
        }                                                                                          \
        return r;                                                                                  \
    }
WGSL_FREXP(2)
WGSL_FREXP(3)
WGSL_FREXP(4)

/* -- packing
 * ----------------------------------------------------------------------------------------------------
 */

/* A clamped and scaled component, rounded half up, as `bits` bits. */
WGSL_FN u32 wgsl_norm(f32 x, f32 low, f32 scale, u32 mask) {
    return (u32)(i32)__builtin_floorf(0.5f +
                                      scale * __builtin_fminf(1.0f, __builtin_fmaxf(low, x))) &
           mask;
}
WGSL_FN u32 u32_pack4x8snorm(vec4f a) {
    return wgsl_norm(a[0], -1.0f, 127.0f, 255u) | wgsl_norm(a[1], -1.0f, 127.0f, 255u) << 8 |
           wgsl_norm(a[2], -1.0f, 127.0f, 255u) << 16 | wgsl_norm(a[3], -1.0f, 127.0f, 255u) << 24;
}
WGSL_FN u32 u32_pack4x8unorm(vec4f a) {
    return wgsl_norm(a[0], 0.0f, 255.0f, 255u) | wgsl_norm(a[1], 0.0f, 255.0f, 255u) << 8 |
           wgsl_norm(a[2], 0.0f, 255.0f, 255u) << 16 | wgsl_norm(a[3], 0.0f, 255.0f, 255u) << 24;
}
WGSL_FN u32 u32_pack2x16snorm(vec2f a) {
    return wgsl_norm(a[0], -1.0f, 32767.0f, 65535u) | wgsl_norm(a[1], -1.0f, 32767.0f, 65535u)
                                                          << 16;
}
WGSL_FN u32 u32_pack2x16unorm(vec2f a) {
    return wgsl_norm(a[0], 0.0f, 65535.0f, 65535u) | wgsl_norm(a[1], 0.0f, 65535.0f, 65535u) << 16;
}
WGSL_FN vec4i vec4i_unpack4xI8(u32 e) {
    return (vec4i){(int8_t)e, (int8_t)(e >> 8), (int8_t)(e >> 16), (int8_t)(e >> 24)};
}
WGSL_FN vec4u vec4u_unpack4xU8(u32 e) {
    return (vec4u){e & 255u, e >> 8 & 255u, e >> 16 & 255u, e >> 24};
}
WGSL_FN vec4f vec4f_unpack4x8snorm(u32 e) {
    vec4f a = vec4f_from_vec4i(vec4i_unpack4xI8(e)) / vec4f_splat(127.0f);
    return vec4f_max(a, vec4f_splat(-1.0f));
}
WGSL_FN vec4f vec4f_unpack4x8unorm(u32 e) {
    return vec4f_from_vec4u(vec4u_unpack4xU8(e)) / vec4f_splat(255.0f);
}
WGSL_FN vec2f vec2f_unpack2x16snorm(u32 e) {
    vec2f a = (vec2f){(int16_t)e, (int16_t)(e >> 16)} / vec2f_splat(32767.0f);
    return vec2f_max(a, vec2f_splat(-1.0f));
}
WGSL_FN vec2f vec2f_unpack2x16unorm(u32 e) {
    return (vec2f){(f32)(e & 65535u), (f32)(e >> 16)} / vec2f_splat(65535.0f);
}
WGSL_FN u32 u32_pack4xU8(vec4u a) {
    return (a[0] & 255u) | (a[1] & 255u) << 8 | (a[2] & 255u) << 16 | a[3] << 24;
}
WGSL_FN u32 u32_pack4xI8(vec4i a) {
    return u32_pack4xU8((vec4u)a);
}
WGSL_FN u32 u32_pack4xU8Clamp(vec4u a) {
    return u32_pack4xU8(vec4u_min(a, vec4u_splat(255u)));
}
WGSL_FN u32 u32_pack4xI8Clamp(vec4i a) {
    return u32_pack4xI8(vec4i_clamp(a, vec4i_splat(-128), vec4i_splat(127)));
}
WGSL_FN i32 i32_dot4I8Packed(u32 a, u32 b) {
    return vec4i_dot(vec4i_unpack4xI8(a), vec4i_unpack4xI8(b));
}
WGSL_FN u32 u32_dot4U8Packed(u32 a, u32 b) {
    return vec4u_dot(vec4u_unpack4xU8(a), vec4u_unpack4xU8(b));
}

#endif
