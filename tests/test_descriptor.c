/* Tests of descriptors: kernels/damaged.c, compiled, has one for each thing that can be wrong. */
#include "tests/check_main.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/cache.h"
#include "sim/compile.h"
#include "sim/descriptor.h"

struct damaged {
    struct wg_kernel kernel;
    const char *what;
};

/* make check sets srcdir. */
static const char *top(void) {
    const char *folder = getenv("srcdir");

    return folder ? folder : ".";
}

static void *load_damaged(void) {
    char base[] = "/tmp/wgsim-test-XXXXXX";
    struct wgsim_error err;
    struct arena arena;

    arena_init(&arena);
    ck_assert_ptr_nonnull(mkdtemp(base));
    setenv("XDG_CACHE_HOME", base, 1);
    const char *object =
        compile_file(&arena, arena_printf(&arena, "%s/tests/kernels/damaged.c", top()),
                     arena_printf(&arena, "%s/include", top()), &err);
    ck_assert_msg(object != NULL, "%s", err.message);
    void *handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(handle != NULL, "%s", dlerror());
    cache_trim(cache_folder(&arena, &err), 0);
    rmdir(cache_folder(&arena, &err));
    rmdir(base);
    arena_release(&arena);
    return handle;
}

START_TEST(what_is_damaged_is_said) {
    void *handle = load_damaged();
    const struct damaged *rows = dlsym(handle, "damaged");
    const uint32_t *count = dlsym(handle, "damaged_count");

    ck_assert(rows && count && *count > 1);
    for (uint32_t i = 0; i < *count; i++) {
        struct wgsim_error err = {""};
        int result = descriptor_check(&rows[i].kernel, handle, "k.so", &err);
        ck_assert_msg(result == (rows[i].what ? -1 : 0), "row %u, %s: %s", i,
                      rows[i].what ? rows[i].what : "nothing", err.message);
        if (rows[i].what) {
            ck_assert_msg(strncmp(err.message, "k.so: ", 6) == 0, "row %u: %s", i, err.message);
            ck_assert_msg(strstr(err.message, rows[i].what) != NULL, "row %u: %s", i, err.message);
        }
    }
    dlclose(handle);
}
END_TEST

START_TEST(a_descriptor_lies_in_its_object) {
    void *handle = load_damaged();
    const struct damaged *rows = dlsym(handle, "damaged");
    struct wg_kernel copy = rows[0].kernel;
    struct wgsim_error err;

    ck_assert_int_eq(descriptor_check(&copy, handle, "k.so", &err), -1);
    ck_assert_str_eq(err.message, "k.so: damaged kernel: its descriptor is not in it");
    dlclose(handle);
}
END_TEST

CHECK_MAIN("descriptor", what_is_damaged_is_said, a_descriptor_lies_in_its_object)
