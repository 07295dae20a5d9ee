/* Comparing rows with AVX2 and AVX-512, to be inlined. */
#ifndef SIM_MATCH_X86_H
#define SIM_MATCH_X86_H

#include "sim/word.h"

#if defined __x86_64__
#include <immintrin.h>

/* How far words are from what the pattern says. */
__attribute__((target("avx2"))) static inline __m256i
match_differences(const uint64_t *row, __m256i base, const uint64_t *pattern) {
    const __m256i silent = _mm256_set1_epi64x((long long)WORD_SILENT);
    __m256i words = _mm256_loadu_si256((const __m256i *)(const void *)row);
    __m256i wanted = _mm256_loadu_si256((const __m256i *)(const void *)pattern);

    return _mm256_xor_si256(_mm256_sub_epi64(_mm256_andnot_si256(silent, words), base), wanted);
}

__attribute__((target("avx2"))) static inline __m256i
match_differences16(const uint64_t *row, __m256i base, const uint64_t *pattern) {
    __m256i a = _mm256_or_si256(match_differences(row, base, pattern),
                                match_differences(row + 4, base, pattern + 4));
    __m256i b = _mm256_or_si256(match_differences(row + 8, base, pattern + 8),
                                match_differences(row + 12, base, pattern + 12));

    return _mm256_or_si256(a, b);
}

__attribute__((target("avx2"))) static inline bool
match_whole_avx2_inlined(const uint64_t *row, uint64_t first, const uint64_t *pattern) {
    const __m256i base = _mm256_set1_epi64x((long long)first);
    __m256i any = _mm256_or_si256(match_differences16(row, base, pattern),
                                  match_differences16(row + 16, base, pattern + 16));

    return _mm256_testz_si256(any, any);
}

/* Which of 8 words are not what the pattern says. */
__attribute__((target("avx512f"))) static inline __mmask8
match_different8(const uint64_t *row, __m512i base, const uint64_t *pattern) {
    const __m512i silent = _mm512_set1_epi64((long long)WORD_SILENT);
    __m512i words = _mm512_loadu_si512(row);
    __m512i distance = _mm512_sub_epi64(_mm512_andnot_si512(silent, words), base);

    return _mm512_cmpneq_epi64_mask(distance, _mm512_loadu_si512(pattern));
}

__attribute__((target("avx512f"))) static inline bool
match_whole_avx512_inlined(const uint64_t *row, uint64_t first, const uint64_t *pattern) {
    const __m512i base = _mm512_set1_epi64((long long)first);

    return !(match_different8(row, base, pattern) | match_different8(row + 8, base, pattern + 8) |
             match_different8(row + 16, base, pattern + 16) |
             match_different8(row + 24, base, pattern + 24));
}
#endif

#endif
