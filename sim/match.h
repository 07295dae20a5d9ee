/* Comparing a row of a log with a pattern of addresses. */
#ifndef SIM_MATCH_H
#define SIM_MATCH_H

#include <stdbool.h>
#include <stdint.h>

/* Bit i of the result: row[i], apart from its silent bit, is first + pattern[i]. All 32 members are
 * read. */
typedef uint32_t match_fn(const uint64_t *row, uint64_t first, const uint64_t *pattern);

/* Bit i of the result: row[i] is `first` apart from its silent bit and its offset. */
typedef uint32_t match_kind_fn(const uint64_t *row, uint64_t first);

/* Whether all 32 of them are first + pattern. */
typedef bool match_whole_fn(const uint64_t *row, uint64_t first, const uint64_t *pattern);

/* Bit i of the result: count[i] > limit. All 32 members are read. */
typedef uint32_t match_above_fn(const uint32_t *count, uint32_t limit);

/* Of 32 lanes: whether they stopped alike but for turns that they hand over, and whether they wrote
 * equally many rows, so that their cursors lie side by side. Bit i of *turned: the stop of lane i
 * hands over a turn. */
enum { MATCH_ALIKE = 1, MATCH_EVEN = 2 };
typedef uint32_t match_ends_fn(const uint64_t *stops, uint64_t *const *ends, uint32_t *turned);

/* Rows that 32 lanes wrote: count[i] = (ends[i] - words) / 32. The result is the largest. */
typedef uint32_t match_count_fn(uint64_t *const *ends, const uint64_t *words, uint32_t *count);

/* All of them for one kind of CPU. */
struct matching {
    match_fn *pattern;
    match_kind_fn *kind;
    match_whole_fn *whole;
    match_above_fn *above;
    match_ends_fn *ends;
    match_count_fn *count;
};

extern const struct matching matching_scalar;
#if defined __x86_64__
#define MATCH_HAS_AVX2 1
/* They give the same, for counts below 2^31, and need AVX2; the latter AVX-512F besides. */
extern const struct matching matching_avx2, matching_avx512;
#endif

/* The fastest on this CPU. */
const struct matching *matching_best(void);

#endif
