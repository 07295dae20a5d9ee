/* Tests of number parsing, as tables: text and what it means. */
#include "tests/check_main.h"

#include <inttypes.h>

#include "sim/units.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

START_TEST(sizes) {
    static const struct {
        const char *text;
        uint64_t value;
    } rows[] = {
        {"0", 0},
        {"1", 1},
        {"65536", 65536},
        {"64k", 65536},
        {"3M", 3 << 20},
        {"2G", UINT64_C(2) << 30},
        {"0x10", 16},
        {"0x10k", 16384},
        {"0xfF", 255},
        {"007", 7},
        {"18446744073709551615", UINT64_MAX},
        {"17179869183G", UINT64_C(17179869183) << 30},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t value = 99;
        ck_assert_msg(parse_size(rows[i].text, &value, NULL) == 0, "'%s' refused", rows[i].text);
        ck_assert_msg(value == rows[i].value, "'%s' read as %" PRIu64, rows[i].text, value);
    }
}
END_TEST

START_TEST(bad_sizes) {
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "'' is not a size (a whole number, then k, M, G or nothing)"},
        {"k", "'k' is not a size (a whole number, then k, M, G or nothing)"},
        {"-1", "'-1' is not a size (a whole number, then k, M, G or nothing)"},
        {"+1", "'+1' is not a size (a whole number, then k, M, G or nothing)"},
        {" 1", "' 1' is not a size (a whole number, then k, M, G or nothing)"},
        {"1 ", "'1 ' is not a size (a whole number, then k, M, G or nothing)"},
        {"1.5k", "'1.5k' is not a size (a whole number, then k, M, G or nothing)"},
        {"1K", "'1K' is not a size (a whole number, then k, M, G or nothing)"},
        {"1kk", "'1kk' is not a size (a whole number, then k, M, G or nothing)"},
        {"0x", "'0x' is not a size (a whole number, then k, M, G or nothing)"},
        {"18446744073709551616", "size '18446744073709551616' does not fit 64 bits"},
        {"17179869184G", "size '17179869184G' does not fit 64 bits"},
        {"99999999999999999999999k", "size '99999999999999999999999k' does not fit 64 bits"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t value = 99;
        struct wgsim_error err;
        ck_assert_msg(parse_size(rows[i].text, &value, &err) == -1, "'%s' taken", rows[i].text);
        ck_assert_str_eq(err.message, rows[i].message);
        ck_assert_uint_eq(value, 99);
    }
}
END_TEST

START_TEST(whole_numbers) {
    uint32_t narrow = 99;
    uint64_t wide = 99;
    struct wgsim_error err;
    ck_assert_int_eq(parse_u32("4294967295", &narrow, NULL), 0);
    ck_assert_uint_eq(narrow, UINT32_MAX);
    ck_assert_int_eq(parse_u32("4294967296", &narrow, &err), -1);
    ck_assert_str_eq(err.message, "'4294967296' is over 4294967295");
    ck_assert_uint_eq(narrow, UINT32_MAX);
    ck_assert_int_eq(parse_u64("18446744073709551615", &wide, NULL), 0);
    ck_assert(wide == UINT64_MAX);
    ck_assert_int_eq(parse_u64("18446744073709551616", &wide, &err), -1);
    ck_assert_str_eq(err.message, "'18446744073709551616' is over 18446744073709551615");
    ck_assert_int_eq(parse_u64("4k", &wide, &err), -1);
    ck_assert_str_eq(err.message, "'4k' is not a whole number");
}
END_TEST

START_TEST(groups) {
    static const struct {
        const char *text;
        uint32_t value[3];
    } rows[] = {
        {"7", {7, 1, 1}},
        {"7,8", {7, 8, 1}},
        {"7,8,9", {7, 8, 9}},
        {"0", {0, 1, 1}},
        {"4294967295", {UINT32_MAX, 1, 1}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t value[3] = {99, 99, 99};
        ck_assert_msg(parse_groups(rows[i].text, value, NULL) == 0, "'%s' refused", rows[i].text);
        for (int axis = 0; axis < 3; axis++)
            ck_assert_msg(value[axis] == rows[i].value[axis], "'%s' axis %d", rows[i].text, axis);
    }
}
END_TEST

START_TEST(bad_groups) {
    static const char *const rows[] = {
        "", ",", "1,", "1,,1", "1,2,3,", "1,2,3,4", "1x2", "-1", "1, 2", "4294967296", "1k",
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t value[3] = {99, 98, 97};
        ck_assert_msg(parse_groups(rows[i], value, NULL) == -1, "'%s' taken", rows[i]);
        ck_assert_msg(value[0] == 99 && value[1] == 98 && value[2] == 97, "'%s' wrote", rows[i]);
    }
}
END_TEST

CHECK_MAIN("units", sizes, bad_sizes, whole_numbers, groups, bad_groups)
