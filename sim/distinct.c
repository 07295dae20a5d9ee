/* Equal and distinct values among lanes. */
#include "sim/distinct.h"

uint32_t distinct_first_scalar(const uint32_t values[DISTINCT_LANES], uint32_t active) {
    uint32_t first = 0;
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        uint32_t seen = first;
        while (seen && values[__builtin_ctz(seen)] != values[lane])
            seen &= seen - 1;
        if (!seen)
            first |= UINT32_C(1) << lane;
    }
    return first;
}

uint32_t distinct_most_scalar(const uint32_t values[DISTINCT_LANES], uint32_t active,
                              uint32_t classes) {
    uint8_t counts[DISTINCT_LANES] = {0};
    uint32_t most = 0;
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        uint32_t count = ++counts[values[__builtin_ctz(rest)] & (classes - 1)];
        most = count > most ? count : most;
    }
    return most;
}

#if DISTINCT_HAS_AVX2

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline void load_lanes(__m256i v[4], const uint32_t *values) {
    for (int i = 0; i < 4; i++)
        v[i] = _mm256_loadu_si256((const __m256i *)(values + 8 * i));
}

/* One bit for each of eight 32-bit lanes. */
AVX2 static inline uint32_t lanes_of(__m256i mask) {
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(mask));
}

/* The lanes that have this value. */
AVX2 static inline uint32_t equal_to(const __m256i v[4], uint32_t value) {
    __m256i all = _mm256_set1_epi32((int)value);
    return lanes_of(_mm256_cmpeq_epi32(v[0], all)) | lanes_of(_mm256_cmpeq_epi32(v[1], all)) << 8 |
           lanes_of(_mm256_cmpeq_epi32(v[2], all)) << 16 |
           lanes_of(_mm256_cmpeq_epi32(v[3], all)) << 24;
}

/* Each round takes the lowest lane left and drops all that equal it: as many rounds as there are
 * distinct values, so that few of them are fast; many are left to the comparison of all pairs. */
AVX2 static inline uint32_t first_by_rounds(const __m256i v[4], const uint32_t *values,
                                            uint32_t active, int rounds, uint32_t *left) {
    uint32_t first = 0;
    for (int i = 0; i < rounds && active; i++) {
        int lane = __builtin_ctz(active);
        first |= UINT32_C(1) << lane;
        active &= ~equal_to(v, values[lane]);
    }
    *left = active;
    return first;
}

/* Adds the lanes that equal one `by` lanes below: in their own vector, or in a vector below it as
 * that is rotated. */
#define COMPARE_ROTATED(by)                                                                        \
    do {                                                                                           \
        const __m256i from =                                                                       \
            _mm256_and_si256(_mm256_sub_epi32(lane, _mm256_set1_epi32(by)), _mm256_set1_epi32(7)); \
        const __m256i lower = _mm256_cmpgt_epi32(lane, from);                                      \
        const __m256i r0 = _mm256_permutevar8x32_epi32(v[0], from);                                \
        const __m256i r1 = _mm256_permutevar8x32_epi32(v[1], from);                                \
        const __m256i r2 = _mm256_permutevar8x32_epi32(v[2], from);                                \
        const __m256i r3 = _mm256_permutevar8x32_epi32(v[3], from);                                \
        d0 = _mm256_or_si256(d0, _mm256_and_si256(_mm256_cmpeq_epi32(v[0], r0), lower));           \
        d1 = _mm256_or_si256(d1, _mm256_and_si256(_mm256_cmpeq_epi32(v[1], r1), lower));           \
        d2 = _mm256_or_si256(d2, _mm256_and_si256(_mm256_cmpeq_epi32(v[2], r2), lower));           \
        d3 = _mm256_or_si256(d3, _mm256_and_si256(_mm256_cmpeq_epi32(v[3], r3), lower));           \
        COMPARE_BELOW(r0, r1, r2);                                                                 \
    } while (0)

#define COMPARE_BELOW(r0, r1, r2)                                                                  \
    do {                                                                                           \
        d1 = _mm256_or_si256(d1, _mm256_cmpeq_epi32(v[1], r0));                                    \
        d2 = _mm256_or_si256(d2, _mm256_cmpeq_epi32(v[2], r0));                                    \
        d2 = _mm256_or_si256(d2, _mm256_cmpeq_epi32(v[2], r1));                                    \
        d3 = _mm256_or_si256(d3, _mm256_cmpeq_epi32(v[3], r0));                                    \
        d3 = _mm256_or_si256(d3, _mm256_cmpeq_epi32(v[3], r1));                                    \
        d3 = _mm256_or_si256(d3, _mm256_cmpeq_epi32(v[3], r2));                                    \
    } while (0)

/* The lanes that equal a lower one. */
AVX2 static uint32_t duplicates(const __m256i v[4]) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i d0 = _mm256_setzero_si256(), d1 = d0, d2 = d0, d3 = d0;
    COMPARE_BELOW(v[0], v[1], v[2]);
    COMPARE_ROTATED(1);
    COMPARE_ROTATED(2);
    COMPARE_ROTATED(3);
    COMPARE_ROTATED(4);
    COMPARE_ROTATED(5);
    COMPARE_ROTATED(6);
    COMPARE_ROTATED(7);
    return lanes_of(d0) | lanes_of(d1) << 8 | lanes_of(d2) << 16 | lanes_of(d3) << 24;
}

/* v with the value of inactive lanes replaced. */
AVX2 static inline void fill_inactive(__m256i v[4], uint32_t active, uint32_t value) {
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    __m256i filler = _mm256_set1_epi32((int)value);
    for (int i = 0; i < 4; i++) {
        __m256i bits = _mm256_and_si256(_mm256_set1_epi32((int)(active >> 8 * i)), bit);
        v[i] = _mm256_blendv_epi8(filler, v[i], _mm256_cmpeq_epi32(bits, bit));
    }
}

AVX2 uint32_t distinct_first_avx2(const uint32_t values[DISTINCT_LANES], uint32_t active) {
    enum { FEW = 3 };
    __m256i v[4];
    uint32_t left;
    load_lanes(v, values);
    uint32_t first = first_by_rounds(v, values, active, FEW, &left);
    if (!left)
        return first;
    /* No lane that is left has the value of one already found, so that it can hide the others. */
    fill_inactive(v, left, values[__builtin_ctz(first)]);
    return first | (left & ~duplicates(v));
}

/* The low bytes of 32 lanes, in order. */
AVX2 static inline __m256i pack_bytes(const __m256i v[4]) {
    __m256i low = _mm256_packus_epi32(v[0], v[1]), high = _mm256_packus_epi32(v[2], v[3]);
    return _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high),
                                       _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/* All ones in the byte of each active lane. */
AVX2 static inline __m256i active_bytes(uint32_t active) {
    const __m256i source = _mm256_setr_epi64x(0x0000000000000000, 0x0101010101010101,
                                              0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
    __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32((int)active), source);
    return _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit);
}

AVX2 static inline uint32_t largest_byte(__m256i v) {
    __m128i m = _mm_max_epu8(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    m = _mm_max_epu8(m, _mm_srli_si128(m, 8));
    m = _mm_max_epu8(m, _mm_srli_si128(m, 4));
    m = _mm_max_epu8(m, _mm_srli_si128(m, 2));
    m = _mm_max_epu8(m, _mm_srli_si128(m, 1));
    return (uint32_t)_mm_extract_epi8(m, 0);
}

/* Counts the lanes that equal the ones `by` and `by` + 16 places on, around the end. */
#define COUNT_ROTATED(by)                                                                          \
    do {                                                                                           \
        count = _mm256_sub_epi8(count, _mm256_cmpeq_epi8(v, _mm256_alignr_epi8(swapped, v, by)));  \
        count = _mm256_sub_epi8(count, _mm256_cmpeq_epi8(v, _mm256_alignr_epi8(v, swapped, by)));  \
    } while (0)

/* For each byte, how many bytes equal it, but for itself. */
AVX2 static __m256i count_equal(__m256i v) {
    const __m256i swapped = _mm256_permute2x128_si256(v, v, 1);
    __m256i count = _mm256_sub_epi8(_mm256_setzero_si256(), _mm256_cmpeq_epi8(v, swapped));
    COUNT_ROTATED(1);
    COUNT_ROTATED(2);
    COUNT_ROTATED(3);
    COUNT_ROTATED(4);
    COUNT_ROTATED(5);
    COUNT_ROTATED(6);
    COUNT_ROTATED(7);
    COUNT_ROTATED(8);
    COUNT_ROTATED(9);
    COUNT_ROTATED(10);
    COUNT_ROTATED(11);
    COUNT_ROTATED(12);
    COUNT_ROTATED(13);
    COUNT_ROTATED(14);
    COUNT_ROTATED(15);
    return count;
}

AVX2 uint32_t distinct_most_avx2(const uint32_t values[DISTINCT_LANES], uint32_t active,
                                 uint32_t classes) {
    const __m256i lane =
        _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                         21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    __m256i v[4];
    if (!active)
        return 0;
    load_lanes(v, values);
    for (int i = 0; i < 4; i++)
        v[i] = _mm256_and_si256(v[i], _mm256_set1_epi32((int)(classes - 1)));
    /* Inactive lanes get values of their own. */
    __m256i others = _mm256_or_si256(lane, _mm256_set1_epi8(64));
    __m256i bytes = _mm256_blendv_epi8(others, pack_bytes(v), active_bytes(active));
    return largest_byte(count_equal(bytes)) + 1;
}

#endif

uint32_t distinct_first(const uint32_t values[DISTINCT_LANES], uint32_t active) {
#if DISTINCT_HAS_AVX2
    if (__builtin_cpu_supports("avx2"))
        return distinct_first_avx2(values, active);
#endif
    return distinct_first_scalar(values, active);
}

uint32_t distinct_most(const uint32_t values[DISTINCT_LANES], uint32_t active, uint32_t classes) {
#if DISTINCT_HAS_AVX2
    if (__builtin_cpu_supports("avx2"))
        return distinct_most_avx2(values, active, classes);
#endif
    return distinct_most_scalar(values, active, classes);
}
