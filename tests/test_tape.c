/* Tests of tapes, by table: what was written, what it is compared with. */
#include "tests/check_main.h"

#include <string.h>

#include "sim/tape.h"

static const struct tape_case {
    const char *written[3], *compared[3];
    bool same;
} cases[] = {
    {{"", "", ""}, {"", "", ""}, true},
    {{"abc", "def", ""}, {"abc", "def", ""}, true},
    {{"abc", "def", ""}, {"ab", "cdef", ""}, true},
    {{"abc", "def", ""}, {"abc", "", ""}, false},
    {{"abc", "", ""}, {"abc", "d", ""}, false},
    {{"abc", "def", "ghi"}, {"abc", "dxf", "ghi"}, false},
    {{"", "", ""}, {"a", "", ""}, false},
};

static void put_all(struct tape *tape, const char *const parts[3]) {
    for (int i = 0; i < 3; i++)
        tape_put(tape, parts[i], strlen(parts[i]));
}

START_TEST(test_compared) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tape tape = {0};
        tape_write(&tape);
        put_all(&tape, cases[i].written);
        tape_compare(&tape);
        put_all(&tape, cases[i].compared);
        ck_assert_msg(tape_same(&tape) == cases[i].same, "row %zu", i);
        tape_release(&tape);
    }
}
END_TEST

START_TEST(test_used_again) {
    struct tape tape = {0};
    char large[10000];

    memset(large, 'x', sizeof large);
    for (size_t length = 1; length <= sizeof large; length *= 3) {
        tape_compare(&tape);
        tape_put(&tape, "y", 1);
        ck_assert(!tape_same(&tape));
        tape_write(&tape);
        tape_put(&tape, large, length);
        tape_number(&tape, length);
        ck_assert_uint_eq(tape.length, length + 8);
        tape_compare(&tape);
        tape_put(&tape, large, length);
        tape_number(&tape, length);
        ck_assert(tape_same(&tape));
    }
    tape_release(&tape);
}
END_TEST

CHECK_MAIN("tape", test_compared, test_used_again)
