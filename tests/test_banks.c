/* Tests of the cost of workgroup memory requests: hardware counters, and rules by table. */
#include "tests/check_main.h"

#include <stdlib.h>
#include <string.h>

#include "sim/banks.h"
#include "sim/distinct.h"
#include "sim/preset.h"
#include "tests/csv.h"

static struct device device_named(const char *name) {
    struct device device;
    struct wgsim_error err;
    ck_assert_msg(preset_find(&device, name, &err) == 0, "%s", err.message);
    return device;
}

/* Lane i accesses element index[i]. */
static struct bank_cost cost_of(const struct device *device, enum bank_op op, uint32_t bytes,
                                uint32_t lanes, const uint32_t *index, uint64_t low,
                                uint64_t high) {
    uint32_t address[REQUEST_LANES_MAX];
    uint32_t stride = bytes == 12 ? 16 : bytes;
    for (uint32_t i = 0; i < lanes; i++)
        address[i] = index[i] * stride;
    struct bank_request request = {op, bytes, lanes, {low, high}, address};
    return banks_cost(device, &request);
}

static enum bank_op op_named(const char *name) {
    return strstr(name, "load") ? BANK_LOAD : strstr(name, "store") ? BANK_STORE : BANK_ATOMIC;
}

START_TEST(every_row_measured_on_the_h200) {
    struct device device = device_named("h200");
    struct csv csv = csv_open("hardware/h200-access-patterns.csv");
    int rows = 0;
    while (csv_next(&csv)) {
        if (strncmp(csv.column[0], "shared_", 7) != 0)
            continue;
        uint32_t index[32];
        for (int i = 0; i < 32; i++)
            index[i] = (uint32_t)strtoul(csv.column[7 + i], NULL, 10);
        struct bank_cost cost =
            cost_of(&device, op_named(csv.column[0]), (uint32_t)atoi(csv.column[1]), 32, index,
                    strtoul(csv.column[3], NULL, 16), 0);
        ck_assert_msg(cost.wavefronts == (uint32_t)atoi(csv.column[4]) &&
                          cost.conflicts == (uint32_t)atoi(csv.column[5]),
                      "line %d, %s of %s bytes, %s: %u wavefronts and %u conflicts, not %s and %s",
                      csv.number, csv.column[0], csv.column[1], csv.column[2], cost.wavefronts,
                      cost.conflicts, csv.column[4], csv.column[5]);
        rows++;
    }
    ck_assert_int_eq(rows, 189);
}
END_TEST

/* Lane i accesses element i * stride. */
struct row {
    const char *name, *device;
    enum bank_op op;
    uint32_t bytes, lanes, stride;
    uint64_t low, high;
    uint32_t wavefronts, ideal;
};

#define ALL UINT64_MAX
#define W32 0xffffffffu

static const struct row rules[] = {
    {"no lane", "default", BANK_LOAD, 4, 32, 1, 0, 0, 0, 0},
    {"no lane, atomic", "h200", BANK_ATOMIC, 4, 32, 1, 0, 0, 0, 0},
    {"bytes", "default", BANK_LOAD, 1, 32, 1, W32, 0, 1, 1},
    {"halves", "default", BANK_STORE, 2, 32, 2, W32, 0, 1, 1},
    {"column of 32", "default", BANK_LOAD, 4, 32, 32, W32, 0, 32, 1},
    {"column of 33", "default", BANK_LOAD, 4, 32, 33, W32, 0, 1, 1},
    {"vec4", "default", BANK_STORE, 16, 32, 1, W32, 0, 4, 4},
    {"vec4 broadcast load", "default", BANK_LOAD, 16, 32, 0, W32, 0, 2, 2},
    {"vec4 broadcast store", "default", BANK_STORE, 16, 32, 0, W32, 0, 4, 4},
    {"vec3", "default", BANK_STORE, 12, 32, 1, W32, 0, 4, 3},
    {"component of vec4", "default", BANK_LOAD, 4, 32, 4, W32, 0, 4, 1},
    {"atomic, one word", "default", BANK_ATOMIC, 4, 32, 0, W32, 0, 32, 1},
    {"atomic, one word", "h200", BANK_ATOMIC, 4, 32, 0, W32, 0, 33, 2},
    {"increment, one word", "default", BANK_INCREMENT, 4, 32, 0, W32, 0, 32, 1},
    {"increment, one word", "h200", BANK_INCREMENT, 4, 32, 0, W32, 0, 2, 2},
    {"increment, one bank", "h200", BANK_INCREMENT, 4, 32, 32, W32, 0, 33, 2},
    {"subgroup of 8", "default", BANK_LOAD, 4, 8, 32, 0xff, 0, 8, 1},
    {"subgroup of 128", "default", BANK_LOAD, 4, 128, 1, ALL, ALL, 4, 4},
    {"subgroup of 128, last lane", "default", BANK_LOAD, 16, 128, 1, 0, UINT64_C(1) << 63, 1, 1},
    {"wave64", "vega", BANK_LOAD, 4, 64, 1, ALL, 0, 2, 2},
    {"wave64, vec2", "vega", BANK_STORE, 8, 64, 1, ALL, 0, 4, 4},
    {"wave64, vec4 store", "vega", BANK_STORE, 16, 64, 1, ALL, 0, 8, 8},
    {"wave64, vec4 load", "vega", BANK_LOAD, 16, 64, 1, ALL, 0, 8, 8},
    {"wave64, vec4 broadcast", "vega", BANK_LOAD, 16, 64, 0, ALL, 0, 8, 8},
    {"16 banks", "xe-lp", BANK_LOAD, 4, 16, 1, 0xffff, 0, 1, 1},
    {"16 banks, stride 16", "xe-lp", BANK_LOAD, 4, 16, 16, 0xffff, 0, 16, 1},
    {"16 banks, 32 lanes", "xe-lp", BANK_LOAD, 4, 32, 1, W32, 0, 2, 2},
    {"16 banks, vec4", "xe-lp", BANK_LOAD, 16, 16, 1, 0xffff, 0, 4, 4},
    {"lines", "mali-g78", BANK_LOAD, 4, 16, 1, 0xffff, 0, 1, 1},
    {"lines, stride 16", "mali-g78", BANK_LOAD, 4, 16, 16, 0xffff, 0, 16, 1},
    {"lines, atomic on one word", "mali-g78", BANK_ATOMIC, 4, 16, 0, 0xffff, 0, 16, 1},
};

START_TEST(rules_of_the_model) {
    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        const struct row *row = &rules[r];
        struct device device = device_named(row->device);
        uint32_t index[REQUEST_LANES_MAX];
        for (uint32_t i = 0; i < row->lanes; i++)
            index[i] = i * row->stride;
        struct bank_cost cost =
            cost_of(&device, row->op, row->bytes, row->lanes, index, row->low, row->high);
        ck_assert_msg(cost.wavefronts == row->wavefronts && cost.ideal == row->ideal &&
                          cost.conflicts == row->wavefronts - row->ideal,
                      "%s on %s: %u wavefronts, ideal %u, not %u and %u", row->name, row->device,
                      cost.wavefronts, cost.ideal, row->wavefronts, row->ideal);
    }
}
END_TEST

/* 16-byte loads of AMD are served in groups such as lanes 0 to 3 with 20 to 23. */
START_TEST(amd_pairs_distant_lanes) {
    struct device device = device_named("vega");
    uint32_t near[64] = {0}, far[64] = {0};
    for (uint32_t i = 0; i < 64; i++) {
        near[i] = i == 4 ? 8 : 0;
        far[i] = i == 20 ? 8 : 0;
    }
    ck_assert_uint_eq(cost_of(&device, BANK_LOAD, 16, 64, near, 0x11, 0).wavefronts, 2);
    ck_assert_uint_eq(cost_of(&device, BANK_LOAD, 16, 64, near, 0x11, 0).conflicts, 0);
    ck_assert_uint_eq(cost_of(&device, BANK_LOAD, 16, 64, far, 0x100001, 0).wavefronts, 2);
    ck_assert_uint_eq(cost_of(&device, BANK_LOAD, 16, 64, far, 0x100001, 0).conflicts, 1);
    ck_assert_uint_eq(cost_of(&device, BANK_STORE, 16, 64, near, 0x11, 0).conflicts, 1);
    ck_assert_uint_eq(cost_of(&device, BANK_STORE, 16, 64, far, 0x100001, 0).conflicts, 0);
}
END_TEST

/* The histogram of h200-kernels.csv: 4 groups of 256 over 4,096 words, 256 bins. */
START_TEST(increments_merge_as_in_the_measured_histogram) {
    struct device device = device_named("h200");
    uint32_t x = 12345, word[4096], merged = 0, apart = 0;
    for (int i = 0; i < 4096; i++) {
        x = x * 1664525 + 1013904223;
        word[i] = x >> 16;
    }
    for (int subgroup = 0; subgroup < 128; subgroup++) {
        uint32_t bin[32];
        for (int lane = 0; lane < 32; lane++)
            bin[lane] = word[subgroup * 32 + lane] & 255;
        merged += cost_of(&device, BANK_INCREMENT, 4, 32, bin, W32, 0).conflicts;
        apart += cost_of(&device, BANK_ATOMIC, 4, 32, bin, W32, 0).conflicts;
    }
    ck_assert_uint_eq(merged, 273);
    ck_assert_uint_eq(apart, 338);
}
END_TEST

/* The rule as the model states it, written without regard to speed. */
static uint32_t passes_by_definition(const uint32_t *word, uint32_t active) {
    uint32_t most = 0;
    for (uint32_t bank = 0; bank < 32; bank++) {
        uint32_t distinct = 0;
        for (int i = 0; i < 32; i++) {
            int first = active >> i & 1 && word[i] % 32 == bank;
            for (int j = 0; j < i; j++)
                first = first && !(active >> j & 1 && word[j] == word[i]);
            distinct += (uint32_t)first;
        }
        most = distinct > most ? distinct : most;
    }
    return most;
}

START_TEST(random_words_cost_what_the_definition_says) {
    struct device device = device_named("default");
    srandom(1);
    for (int round = 0; round < 20000; round++) {
        uint32_t word[32], range = 1u << random() % 12;
        uint32_t active = (uint32_t)random() << 1 ^ (uint32_t)random();
        for (int i = 0; i < 32; i++)
            word[i] = (uint32_t)random() % range;
        ck_assert_uint_eq(cost_of(&device, BANK_LOAD, 4, 32, word, active, 0).wavefronts,
                          passes_by_definition(word, active));
    }
}
END_TEST

START_TEST(vector_and_scalar_search_agree) {
#if DISTINCT_HAS_AVX2
    if (!__builtin_cpu_supports("avx2"))
        return;
    srandom(2);
    for (int round = 0; round < 100000; round++) {
        uint32_t value[32], range = 1u << random() % 8;
        uint32_t active = round % 4 ? (uint32_t)random() << 1 ^ (uint32_t)random() : W32;
        for (int i = 0; i < 32; i++)
            value[i] = (uint32_t)random() % range;
        ck_assert_uint_eq(distinct_first_avx2(value, active), distinct_first_scalar(value, active));
    }
#endif
}
END_TEST

CHECK_MAIN("banks", every_row_measured_on_the_h200, rules_of_the_model, amd_pairs_distant_lanes,
           increments_merge_as_in_the_measured_histogram,
           random_words_cost_what_the_definition_says, vector_and_scalar_search_agree)
