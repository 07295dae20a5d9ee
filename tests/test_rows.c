/* Tests of rows that are judged as a whole: they must find what their lanes find one by one. */
#include "tests/check_main.h"

#include <string.h>

#include "sim/guard.h"
#include "sim/tags.h"

enum { LANES = WG_LOG_ROW, WORDS = 48, ROUNDS = 20000 };

static uint32_t next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

/* ---- Tags ---- */

/* Of three phases, by a lane near its place or by the lane itself. */
static cell_tag random_tag(uint64_t *state, uint32_t lane) {
    uint32_t far = next(state) % 8 ? 0 : next(state) % 3;

    return next(state) % 6 ? cell_tag_of(4 + next(state) % 3, lane + far) : 0;
}

START_TEST(tags_are_judged_as_one_by_one) {
    cell_tag tags[LANES], mine = cell_tag_of(5, 64), since = cell_tag_of(5, 0);
    uint64_t state = 1;

    for (int round = 0; round < ROUNDS; round++) {
        uint32_t count = 1 + next(&state) % LANES, unordered = 0, before = 0, used = 0, counted;
        bool other = false;
        for (uint32_t i = 0; i < count; i++) {
            tags[i] = random_tag(&state, 64 + i);
            unordered += cell_phase(tags[i]) == 5 && tags[i] != mine + i;
            before += tags[i] < since;
            used += tags[i] != 0;
            other |= cell_lane(tags[i]) != 64 + i;
        }
        ck_assert(any_unordered(tags, mine, count) == (unordered > 0));
        ck_assert(all_unordered(tags, mine, count) == (unordered == count));
        ck_assert(any_unordered_or_before(tags, mine, since, count) == (unordered || before));
        ck_assert(any_unordered_count_before(tags, mine, since, count, &counted) ==
                  (unordered > 0));
        ck_assert_uint_eq(counted, before);
        ck_assert(any_tag(tags, count) == (used > 0));
        ck_assert(any_other_lane(tags, mine, count) == other);
    }
}
END_TEST

START_TEST(tags_are_put_where_they_belong) {
    for (uint32_t count = 1; count <= LANES; count++) {
        cell_tag tags[LANES + 1] = {0};
        uint16_t sites[LANES + 1] = {0};
        put_tags(tags, sites, cell_tag_of(9, 32), 7, count);
        for (uint32_t i = 0; i <= LANES; i++) {
            ck_assert_uint_eq(tags[i], i < count ? cell_tag_of(9, 32 + i) : 0);
            ck_assert_uint_eq(sites[i], i < count ? 7 : 0);
        }
    }
}
END_TEST

/* ---- The guard ---- */

/* Lanes from `lane` on touch a word each, from `word` on, `step` bytes apart. */
struct access {
    uint32_t word, lane, count;
    int32_t step;
};

static void guard_whole(struct guard *guard, const struct workgroup *w, const struct wg_site *site,
                        const struct access *access) {
    uint64_t pattern[LANES] = {0}, words[LANES] = {0}, first = wg_word_(1, 0, access->word * 4);
    struct shape shape = {
        .pattern = pattern,
        .segment_count = 1,
        .segments = {{(uint8_t)access->lane, (uint8_t)access->count, access->step}}};
    struct access_row row = {
        .workgroup = w, .site = site, .shape = &shape, .words = words, .first = first};

    for (uint32_t i = access->lane; i < access->lane + access->count; i++) {
        pattern[i] = (uint64_t)((int64_t)access->step * (i - access->lane));
        words[i] = first + pattern[i];
        row.mask |= UINT32_C(1) << i;
    }
    guard_row(guard, &row);
}

static void guard_one_by_one(struct guard *guard, const struct workgroup *w,
                             const struct wg_site *site, const struct access *access) {
    for (uint32_t i = 0; i < access->count; i++) {
        struct access one = {access->word + i * (uint32_t)access->step / 4, access->lane + i, 1, 0};
        guard_whole(guard, w, site, &one);
    }
}

/* Of one variable, with words that nobody has touched. */
static struct guard guard_of(struct guard_word words[GUARD_PAGE_WORDS]) {
    static bool ready = true;

    memset(words, 0, GUARD_PAGE_WORDS * sizeof *words);
    return (struct guard){.tags = {{words, &ready, 1}}};
}

START_TEST(rows_meet_others_as_their_lanes_do) {
    static const uint8_t ops[] = {WG_OP_LOAD, WG_OP_STORE, WG_OP_ATOMIC_ADD};
    static struct workgroup w;
    struct guard_word one[GUARD_PAGE_WORDS], two[GUARD_PAGE_WORDS];
    uint64_t state = 2;
    uint32_t met = 0;

    for (int round = 0; round < ROUNDS; round++) {
        struct guard whole = guard_of(one), lanes = guard_of(two);
        for (int i = 0; i < 4; i++) {
            struct wg_site site = {.op = ops[next(&state) % 3], .bytes = 4};
            uint32_t count = 1 + next(&state) % (LANES / 2);
            struct access access = {next(&state) % (WORDS - LANES / 2), next(&state) % 16, count,
                                    next(&state) % 3 ? 4 : 0};
            w.id = next(&state) % 2;
            guard_whole(&whole, &w, &site, &access);
            guard_one_by_one(&lanes, &w, &site, &access);
        }
        ck_assert_mem_eq(one, two, sizeof one);
        ck_assert(whole.conflict == lanes.conflict);
        met += whole.conflict;
    }
    ck_assert_uint_gt(met, ROUNDS / 10);
    ck_assert_uint_lt(met, ROUNDS - ROUNDS / 10);
}
END_TEST

/* Four workgroups, of which one guard sees all, and two see two each. */
START_TEST(guards_that_are_joined_know_what_one_would) {
    static const uint8_t ops[] = {WG_OP_LOAD, WG_OP_LOAD, WG_OP_STORE};
    static struct workgroup w;
    struct guard_word words[3][GUARD_PAGE_WORDS];
    uint64_t state = 3;
    uint32_t met = 0, apart = 0;

    for (int round = 0; round < ROUNDS; round++) {
        struct guard all = guard_of(words[0]), halves[2] = {guard_of(words[1]), guard_of(words[2])};
        for (int i = 0; i < 3; i++) {
            struct wg_site site = {.op = ops[next(&state) % 3], .bytes = 4};
            struct access access = {next(&state) % (WORDS - LANES / 2), 0, 1 + next(&state) % 8, 4};
            w.id = next(&state) % 4;
            guard_whole(&all, &w, &site, &access);
            guard_whole(&halves[w.id / 2], &w, &site, &access);
        }
        bool within = halves[0].conflict || halves[1].conflict;
        bool joined = guard_join(&halves[0], &halves[1]);
        ck_assert(all.conflict == (within || joined));
        met += joined && !within;
        apart += !all.conflict;
    }
    ck_assert_uint_gt(met, ROUNDS / 20);
    ck_assert_uint_gt(apart, ROUNDS / 20);
}
END_TEST

CHECK_MAIN("rows", tags_are_judged_as_one_by_one, tags_are_put_where_they_belong,
           rows_meet_others_as_their_lanes_do, guards_that_are_joined_know_what_one_would)
