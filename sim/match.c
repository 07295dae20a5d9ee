/* Comparing rows, 4 or 8 lanes at a time where the CPU can. */
#include "sim/match.h"

#include "sim/match_x86.h"
#include "sim/word.h"

_Static_assert(WG_LOG_ROW == 32, "a row is written out below");

static uint32_t match_scalar(const uint64_t *row, uint64_t first, const uint64_t *pattern) {
    uint32_t equal = 0;

    for (uint32_t i = 0; i < WG_LOG_ROW; i++)
        equal |= (uint32_t)((row[i] & ~WORD_SILENT) - first == pattern[i]) << i;
    return equal;
}

static uint32_t match_kind_scalar(const uint64_t *row, uint64_t first) {
    uint32_t equal = 0;

    for (uint32_t i = 0; i < WG_LOG_ROW; i++)
        equal |= (uint32_t) !((row[i] ^ first) & ~(WORD_SILENT | WORD_OFFSET)) << i;
    return equal;
}

static bool match_whole_scalar(const uint64_t *row, uint64_t first, const uint64_t *pattern) {
    return match_scalar(row, first, pattern) == UINT32_MAX;
}

static uint32_t match_above_scalar(const uint32_t *count, uint32_t limit) {
    uint32_t above = 0;

    for (uint32_t i = 0; i < WG_LOG_ROW; i++)
        above |= (uint32_t)(count[i] > limit) << i;
    return above;
}

#define STOP_TURN ((uint64_t)WG_FLOW_TURN << WG_STOP_FLOW_SHIFT)

static uint32_t match_ends_scalar(const uint64_t *stops, uint64_t *const *ends, uint32_t *turned) {
    bool alike = true, even = true;

    *turned = 0;
    for (uint32_t i = 0; i < WG_LOG_ROW; i++) {
        alike &= !((stops[i] ^ stops[0]) & ~STOP_TURN);
        even &= ends[i] == ends[0] + i;
        *turned |= (uint32_t)((stops[i] & STOP_TURN) != 0) << i;
    }
    return (alike ? MATCH_ALIKE : 0) | (even ? MATCH_EVEN : 0);
}

static uint32_t match_count_scalar(uint64_t *const *ends, const uint64_t *words, uint32_t *count) {
    uint32_t most = 0;

    for (uint32_t i = 0; i < WG_LOG_ROW; i++) {
        count[i] = (uint32_t)(ends[i] - words) / WG_LOG_ROW;
        most = count[i] > most ? count[i] : most;
    }
    return most;
}

const struct matching matching_scalar = {.pattern = match_scalar,
                                         .kind = match_kind_scalar,
                                         .whole = match_whole_scalar,
                                         .above = match_above_scalar,
                                         .ends = match_ends_scalar,
                                         .count = match_count_scalar};

#ifdef MATCH_HAS_AVX2
__attribute__((target("avx2"))) static uint32_t match_avx2(const uint64_t *row, uint64_t first,
                                                           const uint64_t *pattern) {
    const __m256i base = _mm256_set1_epi64x((long long)first), zero = _mm256_setzero_si256();
    uint32_t equal = 0;

    for (uint32_t i = 0; i < WG_LOG_ROW; i += 4) {
        __m256i same = _mm256_cmpeq_epi64(match_differences(row + i, base, pattern + i), zero);
        equal |= (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(same)) << i;
    }
    return equal;
}

__attribute__((target("avx2"))) static uint32_t match_kind_avx2(const uint64_t *row,
                                                                uint64_t first) {
    const __m256i free = _mm256_set1_epi64x((long long)(WORD_SILENT | WORD_OFFSET));
    const __m256i wanted = _mm256_or_si256(_mm256_set1_epi64x((long long)first), free);
    uint32_t equal = 0;

#pragma GCC unroll 8
    for (uint32_t i = 0; i < WG_LOG_ROW; i += 4) {
        __m256i words = _mm256_loadu_si256((const __m256i *)(const void *)(row + i));
        __m256i same = _mm256_cmpeq_epi64(_mm256_or_si256(words, free), wanted);
        equal |= (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(same)) << i;
    }
    return equal;
}

__attribute__((target("avx2"))) static bool match_whole_avx2(const uint64_t *row, uint64_t first,
                                                             const uint64_t *pattern) {
    return match_whole_avx2_inlined(row, first, pattern);
}

__attribute__((target("avx2"))) static uint32_t match_above_avx2(const uint32_t *count,
                                                                 uint32_t limit) {
    const __m256i least = _mm256_set1_epi32((int)limit);
    uint32_t above = 0;

    for (uint32_t i = 0; i < WG_LOG_ROW; i += 8) {
        __m256i counts = _mm256_loadu_si256((const __m256i *)(const void *)(count + i));
        __m256 more = _mm256_castsi256_ps(_mm256_cmpgt_epi32(counts, least));
        above |= (uint32_t)_mm256_movemask_ps(more) << i;
    }
    return above;
}

/* Bit i: the stop of lane i hands over a turn. */
__attribute__((target("avx2"))) static uint32_t turns(const uint64_t *stops) {
    enum { TO_SIGN = 63 - 2 - WG_STOP_FLOW_SHIFT }; /* of WG_FLOW_TURN, which is bit 2 */
    uint32_t turned = 0;

    for (uint32_t i = 0; i < WG_LOG_ROW; i += 4) {
        __m256i found = _mm256_loadu_si256((const __m256i *)(const void *)(stops + i));
        __m256d signs = _mm256_castsi256_pd(_mm256_slli_epi64(found, TO_SIGN));
        turned |= (uint32_t)_mm256_movemask_pd(signs) << i;
    }
    return turned;
}

__attribute__((target("avx2"))) static uint32_t
match_ends_avx2(const uint64_t *stops, uint64_t *const *ends, uint32_t *turned) {
    const __m256i stop = _mm256_set1_epi64x((long long)stops[0]);
    const __m256i turn = _mm256_set1_epi64x((long long)STOP_TURN);
    const __m256i step = _mm256_set1_epi64x(4 * sizeof **ends);
    __m256i end = _mm256_add_epi64(_mm256_set1_epi64x((long long)(uintptr_t)ends[0]),
                                   _mm256_setr_epi64x(0, 8, 16, 24));
    __m256i stopped = _mm256_setzero_si256(), wrote = stopped;

#pragma GCC unroll 8
    for (uint32_t i = 0; i < WG_LOG_ROW; i += 4) {
        __m256i found = _mm256_loadu_si256((const __m256i *)(const void *)(stops + i));
        __m256i cursors = _mm256_loadu_si256((const __m256i *)(const void *)(ends + i));
        stopped = _mm256_or_si256(stopped, _mm256_xor_si256(found, stop));
        wrote = _mm256_or_si256(wrote, _mm256_xor_si256(cursors, end));
        end = _mm256_add_epi64(end, step);
    }
    if (_mm256_testz_si256(stopped, turn))
        *turned = stops[0] & STOP_TURN ? UINT32_MAX : 0;
    else
        *turned = turns(stops);
    return (_mm256_testc_si256(turn, stopped) ? MATCH_ALIKE : 0) |
           (_mm256_testz_si256(wrote, wrote) ? MATCH_EVEN : 0);
}

/* A row has 256 bytes. */
__attribute__((target("avx2"))) static uint32_t
match_count_avx2(uint64_t *const *ends, const uint64_t *words, uint32_t *count) {
    const __m256i base = _mm256_set1_epi64x((long long)(uintptr_t)words);
    const __m256i halves = _mm256_setr_epi32(0, 2, 4, 6, 0, 0, 0, 0);
    __m128i most = _mm_setzero_si128();

    for (uint32_t i = 0; i < WG_LOG_ROW; i += 4) {
        __m256i cursors = _mm256_loadu_si256((const __m256i *)(const void *)(ends + i));
        __m256i rows = _mm256_srli_epi64(_mm256_sub_epi64(cursors, base), 8);
        __m128i four = _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(rows, halves));
        _mm_storeu_si128((__m128i *)(void *)(count + i), four);
        most = _mm_max_epi32(most, four);
    }
    most = _mm_max_epi32(most, _mm_shuffle_epi32(most, 0x4e));
    most = _mm_max_epi32(most, _mm_shuffle_epi32(most, 0xb1));
    return (uint32_t)_mm_cvtsi128_si32(most);
}

const struct matching matching_avx2 = {.pattern = match_avx2,
                                       .kind = match_kind_avx2,
                                       .whole = match_whole_avx2,
                                       .above = match_above_avx2,
                                       .ends = match_ends_avx2,
                                       .count = match_count_avx2};

__attribute__((target("avx512f"))) static uint32_t match_avx512(const uint64_t *row, uint64_t first,
                                                                const uint64_t *pattern) {
    const __m512i base = _mm512_set1_epi64((long long)first);
    uint32_t different = 0;

#pragma GCC unroll 4
    for (uint32_t i = 0; i < WG_LOG_ROW; i += 8)
        different |= (uint32_t)match_different8(row + i, base, pattern + i) << i;
    return ~different;
}

__attribute__((target("avx512f"))) static uint32_t match_kind_avx512(const uint64_t *row,
                                                                     uint64_t first) {
    const __m512i looked_at = _mm512_set1_epi64((long long)~(WORD_SILENT | WORD_OFFSET));
    const __m512i wanted = _mm512_set1_epi64((long long)first);
    uint32_t different = 0;

#pragma GCC unroll 4
    for (uint32_t i = 0; i < WG_LOG_ROW; i += 8) {
        __m512i parts = _mm512_xor_si512(_mm512_loadu_si512(row + i), wanted);
        different |= (uint32_t)_mm512_test_epi64_mask(parts, looked_at) << i;
    }
    return ~different;
}

__attribute__((target("avx512f"))) static bool
match_whole_avx512(const uint64_t *row, uint64_t first, const uint64_t *pattern) {
    return match_whole_avx512_inlined(row, first, pattern);
}

__attribute__((target("avx512f"))) static uint32_t match_above_avx512(const uint32_t *count,
                                                                      uint32_t limit) {
    const __m512i least = _mm512_set1_epi32((int)limit);
    uint32_t low = _mm512_cmpgt_epu32_mask(_mm512_loadu_si512(count), least);
    uint32_t high = _mm512_cmpgt_epu32_mask(_mm512_loadu_si512(count + 16), least);

    return low | high << 16;
}

__attribute__((target("avx512f"))) static uint32_t
match_ends_avx512(const uint64_t *stops, uint64_t *const *ends, uint32_t *turned) {
    const __m512i stop = _mm512_set1_epi64((long long)stops[0]);
    const __m512i turn = _mm512_set1_epi64((long long)STOP_TURN);
    const __m512i step = _mm512_set1_epi64(8 * sizeof **ends);
    __m512i end = _mm512_add_epi64(_mm512_set1_epi64((long long)(uintptr_t)ends[0]),
                                   _mm512_setr_epi64(0, 8, 16, 24, 32, 40, 48, 56));
    __m512i stopped = _mm512_setzero_si512(), wrote = stopped;

    *turned = 0;
#pragma GCC unroll 4
    for (uint32_t i = 0; i < WG_LOG_ROW; i += 8) {
        __m512i found = _mm512_loadu_si512(stops + i);
        *turned |= (uint32_t)_mm512_test_epi64_mask(found, turn) << i;
        stopped = _mm512_or_si512(stopped, _mm512_xor_si512(found, stop));
        wrote = _mm512_or_si512(wrote, _mm512_xor_si512(_mm512_loadu_si512(ends + i), end));
        end = _mm512_add_epi64(end, step);
    }
    stopped = _mm512_andnot_si512(turn, stopped);
    return (_mm512_test_epi64_mask(stopped, stopped) ? 0 : MATCH_ALIKE) |
           (_mm512_test_epi64_mask(wrote, wrote) ? 0 : MATCH_EVEN);
}

const struct matching matching_avx512 = {.pattern = match_avx512,
                                         .kind = match_kind_avx512,
                                         .whole = match_whole_avx512,
                                         .above = match_above_avx512,
                                         .ends = match_ends_avx512,
                                         .count = match_count_avx2};
#endif

const struct matching *matching_best(void) {
#ifdef MATCH_HAS_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("avx512f"))
        return &matching_avx512;
    if (__builtin_cpu_supports("avx2"))
        return &matching_avx2;
#endif
    return &matching_scalar;
}
