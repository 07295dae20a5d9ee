/* Comparing a row of a log with a pattern of addresses. */
#ifndef SIM_MATCH_H
#define SIM_MATCH_H

#include <stdint.h>

/* Bit i of the result: row[i], apart from its silent bit, is first + pattern[i]. All 32 members are
 * read. */
typedef uint32_t match_fn(const uint64_t *row, uint64_t first, const uint64_t *pattern);

match_fn match_scalar;
#if defined __x86_64__
#define MATCH_HAS_AVX2 1
match_fn match_avx2; /* needs AVX2; gives the same */
#endif

/* The faster of the two on this CPU. */
match_fn *match_best(void);

#endif
