/* Tests of the arena. */
#include "tests/check_main.h"

#include <stdint.h>
#include <string.h>

#include "sim/arena.h"

START_TEST(allocations_are_aligned_zeroed_and_apart) {
    struct arena arena;
    arena_init(&arena);
    for (size_t bytes = 0; bytes < 300; bytes++) {
        char *p = arena_alloc(&arena, bytes);
        ck_assert_ptr_nonnull(p);
        ck_assert_uint_eq((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < bytes; i++) /* an overlap would show the 0xff of before */
            ck_assert_int_eq(p[i], 0);
        memset(p, 0xff, bytes);
    }
    arena_release(&arena);
}
END_TEST

START_TEST(large_blocks_fit) {
    struct arena arena;
    arena_init(&arena);
    size_t bytes = 10 << 20;
    char *p = arena_alloc(&arena, bytes);
    ck_assert_ptr_nonnull(p);
    memset(p, 1, bytes);
    ck_assert_ptr_nonnull(arena_alloc(&arena, 1));
    ck_assert_int_eq(p[bytes - 1], 1);
    arena_release(&arena);
}
END_TEST

START_TEST(impossible_sizes_are_refused) {
    struct arena arena;
    arena_init(&arena);
    ck_assert_ptr_null(arena_alloc(&arena, SIZE_MAX));
    ck_assert_ptr_null(arena_alloc(&arena, SIZE_MAX - 32));
    ck_assert_ptr_nonnull(arena_alloc(&arena, 8));
    arena_release(&arena);
}
END_TEST

START_TEST(strings_are_copied) {
    struct arena arena;
    arena_init(&arena);
    char text[] = "workgroup";
    char *copy = arena_strdup(&arena, text);
    text[0] = 'W';
    ck_assert_str_eq(copy, "workgroup");
    ck_assert_str_eq(arena_printf(&arena, "%s %d", copy, 42), "workgroup 42");
    ck_assert_str_eq(arena_strdup(&arena, ""), "");
    arena_release(&arena);
}
END_TEST

START_TEST(a_released_arena_can_be_used_again) {
    struct arena arena;
    arena_init(&arena);
    arena_alloc(&arena, 100);
    arena_release(&arena);
    ck_assert_str_eq(arena_strdup(&arena, "again"), "again");
    arena_release(&arena);
}
END_TEST

CHECK_MAIN("arena", allocations_are_aligned_zeroed_and_apart, large_blocks_fit,
           impossible_sizes_are_refused, strings_are_copied, a_released_arena_can_be_used_again)
