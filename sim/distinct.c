/* Distinct values among lanes. */
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

#if DISTINCT_HAS_AVX2

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

/* One bit for each of eight 32-bit lanes. */
AVX2 static inline uint32_t lanes_of(__m256i mask) {
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(mask));
}

/* Whether each active lane equals the value of one lane; the usual broadcast. */
AVX2 static inline uint32_t equal_to(const __m256i v[4], uint32_t value) {
    __m256i all = _mm256_set1_epi32((int)value);
    return lanes_of(_mm256_cmpeq_epi32(v[0], all)) | lanes_of(_mm256_cmpeq_epi32(v[1], all)) << 8 |
           lanes_of(_mm256_cmpeq_epi32(v[2], all)) << 16 |
           lanes_of(_mm256_cmpeq_epi32(v[3], all)) << 24;
}

/* Each round takes the lowest lane left and drops all that equal it: as many rounds as there are
 * distinct values, so that few of them are fast; many are left to the comparison of all pairs. */
AVX2 static uint32_t first_by_rounds(const __m256i v[4], const uint32_t *values, uint32_t active,
                                     int rounds, uint32_t *left) {
    uint32_t first = 0;
    for (int i = 0; i < rounds && active; i++) {
        int lane = __builtin_ctz(active);
        first |= UINT32_C(1) << lane;
        active &= ~equal_to(v, values[lane]);
    }
    *left = active;
    return first;
}

/* The lanes that equal a lower one: compares vectors with rotations of themselves and of the
 * vectors below. */
AVX2 static uint32_t duplicates(const __m256i v[4]) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i duplicate[4];
    for (int a = 0; a < 4; a++) {
        duplicate[a] = _mm256_setzero_si256();
        for (int b = 0; b < a; b++)
            duplicate[a] = _mm256_or_si256(duplicate[a], _mm256_cmpeq_epi32(v[a], v[b]));
    }
    for (int r = 1; r < 8; r++) {
        __m256i from =
            _mm256_and_si256(_mm256_sub_epi32(lane, _mm256_set1_epi32(r)), _mm256_set1_epi32(7));
        __m256i lower = _mm256_cmpgt_epi32(lane, from);
        for (int b = 0; b < 4; b++) {
            __m256i rotated = _mm256_permutevar8x32_epi32(v[b], from);
            duplicate[b] = _mm256_or_si256(
                duplicate[b], _mm256_and_si256(_mm256_cmpeq_epi32(v[b], rotated), lower));
            for (int a = b + 1; a < 4; a++)
                duplicate[a] = _mm256_or_si256(duplicate[a], _mm256_cmpeq_epi32(v[a], rotated));
        }
    }
    return lanes_of(duplicate[0]) | lanes_of(duplicate[1]) << 8 | lanes_of(duplicate[2]) << 16 |
           lanes_of(duplicate[3]) << 24;
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
    for (int i = 0; i < 4; i++)
        v[i] = _mm256_loadu_si256((const __m256i *)(values + 8 * i));
    uint32_t left;
    uint32_t first = first_by_rounds(v, values, active, FEW, &left);
    if (!left)
        return first;
    /* No lane that is left has the value of one already found, so that it can hide the others. */
    fill_inactive(v, left, values[__builtin_ctz(first)]);
    return first | (left & ~duplicates(v));
}

#endif

uint32_t distinct_first(const uint32_t values[DISTINCT_LANES], uint32_t active) {
#if DISTINCT_HAS_AVX2
    if (__builtin_cpu_supports("avx2"))
        return distinct_first_avx2(values, active);
#endif
    return distinct_first_scalar(values, active);
}
