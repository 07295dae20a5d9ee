/* Tests of the sectors of storage requests. */
#include "tests/check_main.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/banks.h"
#include "sim/sectors.h"
#include "tests/csv.h"

START_TEST(every_row_measured_on_the_h200) {
    struct csv csv = csv_open("hardware/h200-access-patterns.csv");
    int rows = 0;
    while (csv_next(&csv)) {
        if (strncmp(csv.column[0], "global_", 7) != 0)
            continue;
        uint32_t bytes = (uint32_t)atoi(csv.column[1]);
        uint64_t offset[32];
        for (int i = 0; i < 32; i++)
            offset[i] = strtoull(csv.column[7 + i], NULL, 10) * bytes;
        struct sector_request request = {bytes, 32, {strtoul(csv.column[3], NULL, 16), 0}, offset};
        uint32_t sectors = sectors_count(&request);
        ck_assert_msg(sectors == (uint32_t)atoi(csv.column[6]),
                      "line %d, %s of %u bytes, %s: %u sectors, not %s", csv.number, csv.column[0],
                      bytes, csv.column[2], sectors, csv.column[6]);
        rows++;
    }
    ck_assert_int_eq(rows, 126);
}
END_TEST

/* Lane i accesses offset first + i * stride. */
START_TEST(rules) {
    static const struct {
        const char *name;
        uint32_t bytes, lanes;
        uint64_t low, high, first;
        int64_t stride;
        uint32_t sectors, most_lanes;
    } rows[] = {
        {"no lane", 4, 32, 0, 0, 0, 4, 0, 0},
        {"consecutive", 4, 32, 0xffffffff, 0, 0, 4, 4, 1},
        {"consecutive, off by one word", 4, 32, 0xffffffff, 0, 4, 4, 5, 1},
        {"one word", 4, 32, 0xffffffff, 0, 400, 0, 1, 32},
        {"descending", 4, 32, 0xffffffff, 0, 4096, -4, 5, 1},
        {"far apart", 4, 32, 0xffffffff, 0, 0, INT64_C(1) << 36, 32, 1},
        {"descending, far apart", 4, 32, 0xffffffff, 0, UINT64_C(1) << 42, -(INT64_C(1) << 36), 32,
         1},
        {"vec4, 128 lanes", 16, 128, UINT64_MAX, UINT64_MAX, 0, 16, 64, 1},
        {"vec4, 128 lanes, descending", 16, 128, UINT64_MAX, UINT64_MAX, 1 << 20, -16, 65, 1},
        {"across an edge", 8, 1, 1, 0, 28, 0, 2, 1},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        uint64_t offset[REQUEST_LANES_MAX];
        for (uint32_t i = 0; i < rows[r].lanes; i++)
            offset[i] = rows[r].first + (uint64_t)(i * rows[r].stride);
        struct sector_request request = {
            rows[r].bytes, rows[r].lanes, {rows[r].low, rows[r].high}, offset};
        ck_assert_msg(sectors_count(&request) == rows[r].sectors, "%s: %u sectors, not %u",
                      rows[r].name, sectors_count(&request), rows[r].sectors);
        ck_assert_msg(sectors_most_lanes(&request) == rows[r].most_lanes,
                      "%s: %u lanes on one offset, not %u", rows[r].name,
                      sectors_most_lanes(&request), rows[r].most_lanes);
    }
}
END_TEST

START_TEST(random_offsets) {
    srandom(3);
    for (int round = 0; round < 20000; round++) {
        uint64_t offset[32];
        uint32_t active = (uint32_t)random(), expected = 0, range = 1u << random() % 10;
        for (int i = 0; i < 32; i++)
            offset[i] = (uint64_t)random() % range * 4;
        for (int i = 0; i < 32; i++) {
            int first = active >> i & 1;
            for (int j = 0; j < i; j++)
                first = first && !(active >> j & 1 && offset[j] / 32 == offset[i] / 32);
            expected += (uint32_t)first;
        }
        struct sector_request request = {4, 32, {active, 0}, offset};
        ck_assert_uint_eq(sectors_count(&request), expected);
    }
}
END_TEST

CHECK_MAIN("sectors", every_row_measured_on_the_h200, rules, random_offsets)
