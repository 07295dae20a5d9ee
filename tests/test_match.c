/* Tests of comparing rows: the scalar forms against what they are defined as, the AVX2 forms
 * against those. One lane at a time is made to differ. */
#include "tests/check_main.h"

#include "sim/match.h"
#include "wgsim/kernel.h"

enum { LANES = WG_LOG_ROW };

static uint64_t next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 20;
}

#ifdef MATCH_HAS_AVX2
static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2");
}
#endif

static void check_row(const uint64_t *row, uint64_t first, const uint64_t *pattern,
                      uint32_t expected) {
    ck_assert_uint_eq(match_scalar(row, first, pattern), expected);
    ck_assert(match_whole_scalar(row, first, pattern) == (expected == UINT32_MAX));
#ifdef MATCH_HAS_AVX2
    if (!has_avx2())
        return;
    ck_assert_uint_eq(match_avx2(row, first, pattern), expected);
    ck_assert(match_whole_avx2(row, first, pattern) == (expected == UINT32_MAX));
#endif
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

static void check_same(const uint64_t *row, bool expected) {
    ck_assert(match_same_scalar(row) == expected);
#ifdef MATCH_HAS_AVX2
    if (has_avx2())
        ck_assert(match_same_avx2(row) == expected);
#endif
}

START_TEST(words_are_the_same) {
    uint64_t row[LANES];

    for (int i = 0; i < LANES; i++)
        row[i] = wg_word_(9, WG_LOG_MARK_VAR, WG_MARK_CALL);
    check_same(row, true);
    for (int i = 0; i < LANES; i++)
        for (int bit = 0; bit < 64; bit++) {
            row[i] ^= UINT64_C(1) << bit;
            check_same(row, false);
            row[i] ^= UINT64_C(1) << bit;
        }
}
END_TEST

static void check_ends(const uint64_t *stops, uint64_t *const *ends, const uint64_t *words,
                       uint32_t match, const uint32_t *rows, uint32_t most) {
    uint32_t count[LANES];
    uint32_t turned, hand_over = 0;

    for (uint32_t i = 0; i < LANES; i++)
        hand_over |= (uint32_t)(stops[i] >> (WG_STOP_FLOW_SHIFT + 2) & 1) << i;
    ck_assert_uint_eq(match_ends_scalar(stops, ends, &turned), match);
    ck_assert_uint_eq(turned, hand_over);
    ck_assert_uint_eq(match_count_scalar(ends, words, count), most);
    ck_assert_mem_eq(count, rows, sizeof count);
#ifdef MATCH_HAS_AVX2
    if (!has_avx2())
        return;
    ck_assert_uint_eq(match_ends_avx2(stops, ends, &turned), match);
    ck_assert_uint_eq(turned, hand_over);
    ck_assert_uint_eq(match_count_avx2(ends, words, count), most);
    ck_assert_mem_eq(count, rows, sizeof count);
#endif
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
    uint64_t row[LANES], state = 3, first = wg_word_(9, 5, 64) | (uint64_t)4 << WG_LOG_FLOW_SHIFT;

    for (uint32_t bit = 0; bit < 64; bit++) {
        bool free = bit < WG_LOG_FLOW_SHIFT || bit == WG_LOG_SILENT_SHIFT;
        uint32_t other = 0;
        for (uint32_t i = 0; i < LANES; i++) {
            uint64_t changed = next(&state) & 1;
            row[i] = first ^ changed << bit;
            other |= (uint32_t)(changed && !free) << i;
        }
        ck_assert_uint_eq(match_kind_scalar(row, first), ~other);
#ifdef MATCH_HAS_AVX2
        if (has_avx2())
            ck_assert_uint_eq(match_kind_avx2(row, first), ~other);
#endif
    }
}
END_TEST

START_TEST(counts_above_a_limit) {
    uint32_t count[LANES], expected = 0;
    uint64_t state = 2;

    for (uint32_t limit = 0; limit < 40; limit++, expected = 0) {
        for (int i = 0; i < LANES; i++) {
            count[i] = (uint32_t)next(&state) % 40;
            expected |= (uint32_t)(count[i] > limit) << i;
        }
        ck_assert_uint_eq(match_above_scalar(count, limit), expected);
#ifdef MATCH_HAS_AVX2
        if (has_avx2())
            ck_assert_uint_eq(match_above_avx2(count, limit), expected);
#endif
    }
}
END_TEST

CHECK_MAIN("match", rows_match_but_for_their_silent_bits, words_are_the_same,
           lanes_end_alike_or_not, words_are_of_one_kind, counts_above_a_limit)
