/* Tests of the compiler's cache, in a cache folder of their own. */
#include "tests/check_main.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/cache.h"
#include "sim/compile.h"

/* The folder of wgsim/kernel.h; make check sets srcdir. */
static const char *include_folder(struct arena *arena) {
    const char *top = getenv("srcdir");
    return arena_printf(arena, "%s/include", top ? top : ".");
}

/* A fresh cache folder for this test's process; returns its path, which the arena owns. */
static const char *fresh_cache(struct arena *arena) {
    struct wgsim_error err;
    char base[] = "/tmp/wgsim-test-XXXXXX";
    arena_init(arena);
    ck_assert_ptr_nonnull(mkdtemp(base));
    setenv("XDG_CACHE_HOME", base, 1);
    const char *folder = cache_folder(arena, &err);
    ck_assert_msg(folder != NULL, "%s", err.message);
    return folder;
}

static int file_count(const char *folder) {
    int count = 0;
    DIR *dir = opendir(folder);
    ck_assert_ptr_nonnull(dir);
    for (struct dirent *file; (file = readdir(dir));)
        count += file->d_name[0] != '.';
    closedir(dir);
    return count;
}

static void remove_cache(struct arena *arena, const char *folder) {
    cache_trim(folder, 0);
    rmdir(folder);
    const char *home = getenv("XDG_CACHE_HOME");
    ck_assert_ptr_nonnull(home);
    rmdir(home);
    arena_release(arena);
}

START_TEST(same_text_is_compiled_once) {
    struct arena arena;
    struct wgsim_error err;
    const char *folder = fresh_cache(&arena);
    const char *first =
        compile_text(&arena, "a", "int answer(void) { return 42; }", include_folder(&arena), &err);
    ck_assert_msg(first != NULL, "%s", err.message);
    struct stat before, after;
    ck_assert_int_eq(stat(first, &before), 0);
    const char *second =
        compile_text(&arena, "b", "int answer(void) { return 42; }", include_folder(&arena), &err);
    ck_assert_str_eq(first, second);
    ck_assert_int_eq(stat(second, &after), 0);
    ck_assert_uint_eq(before.st_ino, after.st_ino);
    ck_assert_int_eq(file_count(folder), 1);
    void *object = dlopen(first, RTLD_NOW);
    ck_assert_ptr_nonnull(object);
    int (*answer)(void);
    *(void **)&answer = dlsym(object, "answer");
    ck_assert_int_eq(answer(), 42);
    dlclose(object);
    remove_cache(&arena, folder);
}
END_TEST

START_TEST(other_text_is_another_object) {
    struct arena arena;
    struct wgsim_error err;
    const char *folder = fresh_cache(&arena);
    const char *first = compile_text(&arena, "a", "int a;", include_folder(&arena), &err);
    const char *second = compile_text(&arena, "a", "int b;", include_folder(&arena), &err);
    ck_assert_str_ne(first, second);
    ck_assert_int_eq(file_count(folder), 2);
    remove_cache(&arena, folder);
}
END_TEST

START_TEST(an_error_is_one_line_and_leaves_nothing) {
    struct arena arena;
    struct wgsim_error err;
    const char *folder = fresh_cache(&arena);
    ck_assert_ptr_null(
        compile_text(&arena, "bad.wgsl", "int f( { }", include_folder(&arena), &err));
    ck_assert_ptr_nonnull(strstr(err.message, "cc refuses bad.wgsl: "));
    ck_assert_ptr_nonnull(strstr(err.message, "error:"));
    ck_assert_ptr_null(strchr(err.message, '\n'));
    ck_assert_int_eq(file_count(folder), 0);
    remove_cache(&arena, folder);
}
END_TEST

/* What cc finds inside a macro of kernel.h is said of where the macro stands. */
START_TEST(an_error_names_the_users_line) {
    struct arena arena;
    struct wgsim_error err;
    const char *folder = fresh_cache(&arena), *path = arena_printf(&arena, "%s.c", folder);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("#include <wgsim/kernel.h>\nWG_STORAGE(0, 0, u32, a);\n"
          "WG_ENTRY(main, 1, 1, 1) {\n    wg_store(b, 0, 1);\n}\n",
          file);
    fclose(file);
    ck_assert_ptr_null(compile_file(&arena, path, include_folder(&arena), &err));
    unlink(path);
    ck_assert_msg(strstr(err.message,
                         arena_printf(&arena, " refuses %s: %s:4:5: error: ", path, path)) != NULL,
                  "%s", err.message);
    ck_assert_msg(strstr(err.message, "wg_type_b") != NULL, "%s", err.message);
    remove_cache(&arena, folder);
}
END_TEST

START_TEST(no_compiler_is_one_line) {
    struct arena arena;
    struct wgsim_error err;
    const char *folder = fresh_cache(&arena);
    setenv("CC", "no-such-compiler", 1);
    ck_assert_ptr_null(compile_text(&arena, "a.wgsl", "int a;", include_folder(&arena), &err));
    ck_assert_str_eq(
        err.message,
        "cannot compile a.wgsl: no-such-compiler does not run: no such file or directory");
    ck_assert_int_eq(file_count(folder), 0);
    remove_cache(&arena, folder);
}
END_TEST

START_TEST(a_file_is_known_with_what_it_includes) {
    struct arena arena;
    struct wgsim_error err;
    const char *folder = fresh_cache(&arena);
    const char *base = getenv("XDG_CACHE_HOME");
    const char *source = arena_printf(&arena, "%s/k.c", base),
               *header = arena_printf(&arena, "%s/k.h", base);
    const char *objects[3];
    for (int k = 0; k < 3; k++) {
        FILE *file = fopen(header, "w");
        fprintf(file, "enum { value = %d };\n", k / 2);
        fclose(file);
        file = fopen(source, "w");
        fputs("#include \"k.h\"\nint f(void) { return value; }\n", file);
        fclose(file);
        objects[k] = compile_file(&arena, source, include_folder(&arena), &err);
        ck_assert_msg(objects[k] != NULL, "%s", err.message);
    }
    ck_assert_str_eq(objects[0], objects[1]);
    ck_assert_str_ne(objects[0], objects[2]);
    unlink(source);
    unlink(header);
    ck_assert_ptr_null(compile_file(&arena, source, include_folder(&arena), &err));
    remove_cache(&arena, folder);
}
END_TEST

START_TEST(the_longest_unused_go_first) {
    struct arena arena;
    const char *folder = fresh_cache(&arena);
    for (int k = 0; k < 8; k++) {
        const char *path = arena_printf(&arena, "%s/%d.so", folder, k);
        FILE *file = fopen(path, "w");
        fprintf(file, "%1000d", k);
        fclose(file);
        struct timespec times[2] = {{.tv_sec = 1000 + (k + 4) % 8}, {.tv_sec = 1000 + (k + 4) % 8}};
        ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
    }
    cache_trim(folder, 8000);
    ck_assert_int_eq(file_count(folder), 8);
    cache_trim(folder, 4000);
    ck_assert_int_eq(file_count(folder), 3);
    for (int k = 1; k < 4; k++)
        ck_assert(cache_has(arena_printf(&arena, "%s/%d.so", folder, k)));
    remove_cache(&arena, folder);
}
END_TEST

CHECK_MAIN("compile", same_text_is_compiled_once, other_text_is_another_object,
           an_error_is_one_line_and_leaves_nothing, an_error_names_the_users_line,
           no_compiler_is_one_line, a_file_is_known_with_what_it_includes,
           the_longest_unused_go_first)
