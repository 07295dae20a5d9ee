/* Tests of comparing rows, for each kind of CPU against what is defined. One lane at a time is made
 * to differ. */
#include "tests/check_main.h"

#include "sim/match.h"
#include "wgsim/kernel.h"

enum { LANES = WG_LOG_ROW };

static uint64_t next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 20;
}

/* All kinds that this CPU is, in turn; NULL behind the last. */
static const struct matching *kind(int index) {
    if (index == 0)
        return &matching_scalar;
#ifdef MATCH_HAS_AVX2
    if (index == 1 && matching_best() != &matching_scalar)
        return &matching_avx2;
    if (index == 2 && matching_best() == &matching_avx512)
        return &matching_avx512;
#endif
    return NULL;
}
#define EACH_KIND(m)                                                                               \
    int index_ = 0;                                                                                \
    ((m) = kind(index_)) != NULL;                                                                  \
    index_++

static void check_row(const uint64_t *row, uint64_t first, const uint64_t *pattern,
                      uint32_t expected) {
    const struct matching *m;

    for (EACH_KIND(m)) {
        ck_assert_uint_eq(m->pattern(row, first, pattern), expected);
        ck_assert(m->whole(row, first, pattern) == (expected == UINT32_MAX));
    }
}

START_TEST(rows_match_but_for_their_silent_bits) {
    const uint64_t first = wg_word_(7, 3, 4096);
    uint64_t row[LANES], pattern[LANES], state = 1;

    for (int i = 0; i < LANES; i++) {
        pattern[i] = next(&state) % 65536;
        row[i] = (first + pattern[i]) | (next(&state) & 1) << WG_LOG_SILENT_SHIFT;
    }
    check_row(row, first, pattern, UINT32_MAX);
    for (int i = 0; i < LANES; i++)
        for (int bit = 0; bit < 64; bit++) {
            uint64_t flipped = UINT64_C(1) << bit;
            row[i] ^= flipped;
            check_row(row, first, pattern,
                      bit == WG_LOG_SILENT_SHIFT ? UINT32_MAX : ~(UINT32_C(1) << i));
            row[i] ^= flipped;
        }
}
END_TEST

static void check_ends(const uint64_t *stops, uint64_t *const *ends, const uint64_t *words,
                       uint32_t match, const uint32_t *rows, uint32_t most) {
    uint32_t count[LANES], turned, hand_over = 0;
    const struct matching *m;

    for (uint32_t i = 0; i < LANES; i++)
        hand_over |= (uint32_t)(stops[i] >> (WG_STOP_FLOW_SHIFT + 2) & 1) << i;
    for (EACH_KIND(m)) {
        ck_assert_uint_eq(m->ends(stops, ends, &turned), match);
        ck_assert_uint_eq(turned, hand_over);
        ck_assert_uint_eq(m->count(ends, words, count), most);
        ck_assert_mem_eq(count, rows, sizeof count);
    }
}

START_TEST(lanes_end_alike_or_not) {
    static uint64_t words[300 * LANES];
    uint64_t stops[LANES], *ends[LANES];
    uint32_t rows[LANES];

    for (uint32_t length = 0; length <= 258; length += 43) {
        for (uint32_t i = 0; i < LANES; i++) {
            stops[i] = WG_STOP_(5, WG_EVENT_BARRIER);
            rows[i] = length;
            ends[i] = words + (size_t)length * LANES + i;
        }
        check_ends(stops, ends, words, MATCH_ALIKE | MATCH_EVEN, rows, length);
        for (uint32_t i = 0; i < LANES; i++) {
            stops[i] ^= WG_STOP_(1, WG_EVENT_RUN);
            check_ends(stops, ends, words, MATCH_EVEN, rows, length);
            stops[i] ^= WG_STOP_(1, WG_EVENT_RUN);
            stops[i] ^= (uint64_t)WG_FLOW_TURN << WG_STOP_FLOW_SHIFT; /* which is left so */
            check_ends(stops, ends, words, MATCH_ALIKE | MATCH_EVEN, rows, length);
            ends[i] += (size_t)LANES * (i + 1);
            rows[i] += i + 1;
            check_ends(stops, ends, words, MATCH_ALIKE, rows, length + i + 1);
            ends[i] -= (size_t)LANES * (i + 1);
            rows[i] -= i + 1;
        }
    }
}
END_TEST

START_TEST(words_are_of_one_kind) {
    const struct matching *m;
    uint64_t row[LANES], state = 3, first = wg_word_(9, 5, 64) | (uint64_t)4 << WG_LOG_FLOW_SHIFT;

    for (uint32_t bit = 0; bit < 64; bit++) {
        bool free = bit < WG_LOG_FLOW_SHIFT || bit == WG_LOG_SILENT_SHIFT;
        uint32_t other = 0;
        for (uint32_t i = 0; i < LANES; i++) {
            uint64_t changed = next(&state) & 1;
            row[i] = first ^ changed << bit;
            other |= (uint32_t)(changed && !free) << i;
        }
        for (EACH_KIND(m))
            ck_assert_uint_eq(m->kind(row, first), ~other);
    }
}
END_TEST

START_TEST(counts_above_a_limit) {
    const struct matching *m;
    uint32_t count[LANES], expected = 0;
    uint64_t state = 2;

    for (uint32_t limit = 0; limit < 40; limit++, expected = 0) {
        for (int i = 0; i < LANES; i++) {
            count[i] = (uint32_t)next(&state) % 40;
            expected |= (uint32_t)(count[i] > limit) << i;
        }
        for (EACH_KIND(m))
            ck_assert_uint_eq(m->above(count, limit), expected);
    }
}
END_TEST

CHECK_MAIN("match", rows_match_but_for_their_silent_bits, lanes_end_alike_or_not,
           words_are_of_one_kind, counts_above_a_limit)
