/* How to unit-test a kernel: this one is linked with the kernel of tests/saxpy.c; wgsim_load would
 * load one from a file. */
#include "tests/check_main.h"

#include <wgsim/wgsim.h>

extern const struct wg_kernel wgsim_kernel_2;

enum { COUNT = 1000, GROUPS = (COUNT + 63) / 64 };

static float x[COUNT], y[COUNT];
static struct wgsim_error err;

#define OK(call) ck_assert_msg((call) >= 0, "%s", err.message)

static struct wgsim *run_saxpy(const struct wgsim_options *options) {
    struct wgsim *sim = wgsim_new(options, &err);
    ck_assert_msg(sim != NULL, "%s", err.message);
    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
    OK(wgsim_use(sim, &wgsim_kernel_2, &err));
    OK(wgsim_set(sim, "a", "3", &err));
    OK(wgsim_buffer(sim, "x", x, sizeof x, &err));
    OK(wgsim_buffer(sim, "y", y, sizeof y, &err));
    OK(wgsim_dispatch(sim, "main", GROUPS, 1, 1, &err));
    OK(wgsim_run(sim, &err));
    return sim;
}

START_TEST(computes_y) {
    struct wgsim *sim = run_saxpy(NULL);
    const float *result = wgsim_read(sim, "y", NULL, &err);
    ck_assert_msg(result != NULL, "%s", err.message);
    for (int i = 0; i < COUNT; i++)
        ck_assert_float_eq(result[i], 3 * x[i] + 1);
    wgsim_free(sim);
}
END_TEST

START_TEST(is_clean_in_any_order) {
    struct wgsim *sim = run_saxpy(&(struct wgsim_options){.order = WGSIM_RANDOM, .seed = 7});
    const struct wgsim_report *report = wgsim_report(sim);
    ck_assert_int_eq(report->verdict, WGSIM_FINISHED);
    for (size_t i = 0; i < report->finding_count; i++)
        ck_assert_msg(report->findings[i].severity == WGSIM_ADVICE, "%s", report->findings[i].text);
    wgsim_free(sim);
}
END_TEST

START_TEST(wastes_no_bandwidth) {
    struct wgsim *sim = run_saxpy(NULL);
    const struct wgsim_counts *load = &wgsim_report(sim)->storage_load;
    ck_assert_uint_eq(load->bytes, 2 * sizeof x);
    ck_assert_uint_eq(load->sectors, 2 * sizeof x / 32);
    wgsim_free(sim);
}
END_TEST

CHECK_MAIN("host_example", computes_y, is_clean_in_any_order, wastes_no_bandwidth)
