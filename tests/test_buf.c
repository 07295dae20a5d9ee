/* Tests of the growable string. */
#include "tests/check_main.h"

#include <stdint.h>
#include <string.h>

#include "sim/buf.h"

START_TEST(appends_follow_one_another) {
    struct buf buf = {0};
    buf_puts(&buf, "unit ");
    buf_printf(&buf, "%d of %d", 1, 4);
    buf_append(&buf, "\0x", 2);
    ck_assert(!buf.failed);
    ck_assert_uint_eq(buf.len, 13);
    ck_assert_mem_eq(buf.data, "unit 1 of 4\0x", 14);
    buf_release(&buf);
}
END_TEST

START_TEST(plain_text_has_no_control_characters) {
    struct buf buf = {0};
    buf_append_plain(&buf, "a\x1b[31m\tb\x7f\xc3\xa9\n", 12);
    ck_assert_uint_eq(buf.len, 12);
    ck_assert_mem_eq(buf.data, "a?[31m\tb?\xc3\xa9?", 12);
    buf_release(&buf);
}
END_TEST

START_TEST(it_grows_past_every_capacity) {
    struct buf buf = {0};
    for (int i = 0; i < 5000; i++)
        buf_printf(&buf, "%04d", i);
    ck_assert(!buf.failed);
    ck_assert_uint_eq(buf.len, 20000);
    ck_assert_mem_eq(buf.data + 4 * 4321, "4321", 4);
    ck_assert_uint_eq(strlen(buf.data), 20000);
    buf_release(&buf);
}
END_TEST

START_TEST(nothing_appended_is_a_string_too) {
    struct buf buf = {0};
    buf_append(&buf, NULL, 0);
    ck_assert_str_eq(buf.data, "");
    buf_release(&buf);
    ck_assert_ptr_null(buf.data);
}
END_TEST

START_TEST(a_failure_sticks) {
    struct buf buf = {0};
    buf_puts(&buf, "kept");
    buf_append(&buf, "", SIZE_MAX - 2);
    ck_assert(buf.failed);
    buf_puts(&buf, " dropped");
    ck_assert_str_eq(buf.data, "kept");
    buf_release(&buf);
    ck_assert(!buf.failed);
}
END_TEST

CHECK_MAIN("buf", appends_follow_one_another, plain_text_has_no_control_characters,
           it_grows_past_every_capacity, nothing_appended_is_a_string_too, a_failure_sticks)
