/* Tests of the host interface: what it refuses, and with what words; plans; several dispatches. */
#include "tests/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wgsim/wgsim.h>

static struct wgsim_error err;

#define OK(call) ck_assert_msg((call) >= 0, "%s", err.message)

static struct wgsim *with_kernel(const char *name, const struct wgsim_options *options) {
    struct wgsim *sim = wgsim_new(options, &err);
    char path[256];
    snprintf(path, sizeof path, "kernels/%s.so", name);
    ck_assert_msg(sim != NULL, "%s", err.message);
    OK(wgsim_load(sim, path, &err));
    return sim;
}

START_TEST(refused_options) {
    static const struct {
        struct wgsim_options options;
        const char *message;
    } rows[] = {
        {{.device = "h20"}, "h20"},
        {{.subgroup = 3}, "subgroup_width"},
        {{.device_file = "no/such/file"}, "no/such/file"},
        {{.order = (enum wgsim_order)3}, "order: there is no choice 3"},
        {{.pace = (enum wgsim_pace) - 1}, "pace: there is no choice 4294967295"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_ptr_null(wgsim_new(&rows[i].options, &err));
        ck_assert_msg(strstr(err.message, rows[i].message) != NULL, "%s", err.message);
    }
}
END_TEST

START_TEST(refused_calls) {
    struct wgsim *sim = wgsim_new(NULL, &err);
    ck_assert_int_lt(wgsim_run(sim, &err), 0);
    ck_assert_str_eq(err.message, "no kernel is loaded");
    ck_assert_int_lt(wgsim_load(sim, "no/such/file.so", &err), 0);
    ck_assert_ptr_null(wgsim_report(sim));
    ck_assert_ptr_null(wgsim_report_json(sim, &err));
    ck_assert_str_eq(err.message, "nothing was run");
    OK(wgsim_load(sim, "kernels/reduce.so", &err));
    ck_assert_int_lt(wgsim_run(sim, &err), 0);
    ck_assert_str_eq(err.message, "no dispatch was added");
    ck_assert_int_lt(wgsim_set(sim, "colour", "3", &err), 0);
    ck_assert_str_eq(err.message, "reduce has no override 'colour'");
    ck_assert_int_lt(wgsim_buffer(sim, "partial", NULL, 4, &err), 0);
    ck_assert_str_eq(err.message, "reduce has no binding 'partial'");
    ck_assert_int_lt(wgsim_bind(sim, "input", "sums", &err), 0);
    ck_assert_str_eq(err.message, "no buffer was made for sums");
    ck_assert_ptr_null(wgsim_read(sim, "sums", NULL, &err));
    ck_assert_int_lt(wgsim_dispatch(sim, "nothing", 1, 1, 1, &err), 0);
    OK(wgsim_dispatch(sim, "add_parts", 1, 1, 1, &err));
    ck_assert_int_lt(wgsim_run(sim, &err), 0);
    ck_assert_msg(strstr(err.message, "no buffer is bound to input") != NULL, "%s", err.message);
    wgsim_free(sim);
}
END_TEST

START_TEST(plan_is_checked) {
    struct wgsim *sim = with_kernel("reduce", NULL);
    OK(wgsim_plan(sim, 5000, &err));
    OK(wgsim_run(sim, &err));
    ck_assert_int_eq(wgsim_report(sim)->verdict, WGSIM_FINISHED);
    ck_assert(!wgsim_report(sim)->wrong);
    wgsim_free(sim);
}
END_TEST

START_TEST(two_dispatches) {
    static const uint32_t input[4] = {1, 2, 3, 4};
    struct wgsim *sim = with_kernel("reduce", NULL);
    OK(wgsim_buffer(sim, "input", input, sizeof input, &err));
    OK(wgsim_buffer(sim, "sums", NULL, 8, &err));
    OK(wgsim_buffer(sim, "total", NULL, 4, &err));
    OK(wgsim_dispatch(sim, "add_parts", 2, 1, 1, &err));
    OK(wgsim_dispatch(sim, "add_sums", 1, 1, 1, &err));
    for (int run = 0; run < 2; run++) {
        size_t bytes;
        OK(wgsim_run(sim, &err));
        const uint32_t *total = wgsim_read(sim, "total", &bytes, &err);
        ck_assert_uint_eq(bytes, 4);
        ck_assert_uint_eq(total[0], 10);
    }
    wgsim_free(sim);
}
END_TEST

START_TEST(hang_is_a_verdict) {
    struct wgsim *sim = with_kernel("spinwait", &(struct wgsim_options){.cus = 1});
    OK(wgsim_plan(sim, 0, &err));
    OK(wgsim_run(sim, &err));
    ck_assert_int_eq(wgsim_report(sim)->verdict, WGSIM_DEADLOCK);
    ck_assert_uint_eq(wgsim_report(sim)->workgroups_per_cu, 8);
    char *json = wgsim_report_json(sim, &err), *text = wgsim_report_text(sim, &err);
    ck_assert_ptr_nonnull(strstr(json, "\"verdict\": \"deadlock\""));
    ck_assert_ptr_nonnull(strstr(text, "DEADLOCK, proved"));
    free(json);
    free(text);
    wgsim_free(sim);
}
END_TEST

START_TEST(schedules) {
    static const struct {
        const char *kernel;
        struct wgsim_options options;
        enum wgsim_verdict verdict;
    } rows[] = {
        {"waitlast", {.resident = 2}, WGSIM_FINISHED},
        {"waitlast", {.resident = 2, .refill = WGSIM_REFILL_LAZY}, WGSIM_DEADLOCK},
        {"waitlast", {.resident = 1}, WGSIM_DEADLOCK},
        {"livelock", {.pace = WGSIM_PACE_EVEN}, WGSIM_LIVELOCK},
        {"livelock", {.pace = WGSIM_PACE_RANDOM, .seed = 1}, WGSIM_FINISHED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct wgsim *sim = with_kernel(rows[i].kernel, &rows[i].options);
        OK(wgsim_plan(sim, 0, &err));
        OK(wgsim_run(sim, &err));
        ck_assert_msg(wgsim_report(sim)->verdict == rows[i].verdict, "row %zu", i);
        wgsim_free(sim);
    }
}
END_TEST

static char *report_of(const struct wgsim_options *options) {
    struct wgsim *sim = with_kernel("matmul", options);
    OK(wgsim_plan(sim, 160, &err));
    OK(wgsim_run(sim, &err));
    char *json = wgsim_report_json(sim, &err);
    wgsim_free(sim);
    return json;
}

START_TEST(threads) {
    char *one = report_of(NULL), *three = report_of(&(struct wgsim_options){.threads = 3});
    ck_assert_str_eq(one, three);
    free(one);
    free(three);
    ck_assert_ptr_null(wgsim_new(&(struct wgsim_options){.threads = 1025}, &err));
    ck_assert_str_eq(err.message, "threads must be at most 1024");
}
END_TEST

START_TEST(limits) {
    struct wgsim *sim = with_kernel("spinwait", NULL);
    OK(wgsim_set(sim, "workgroup_memory", "16388", &err));
    OK(wgsim_plan(sim, 0, &err));
    OK(wgsim_run(sim, &err));
    ck_assert_int_eq(wgsim_report(sim)->verdict, WGSIM_REJECTED);
    ck_assert_str_eq(wgsim_report(sim)->findings[0].kind, "limit");
    wgsim_free(sim);
    sim = with_kernel("spinwait", &(struct wgsim_options){.device_limits = true});
    OK(wgsim_set(sim, "workgroup_memory", "16388", &err));
    OK(wgsim_plan(sim, 0, &err));
    OK(wgsim_run(sim, &err));
    ck_assert_int_ne(wgsim_report(sim)->verdict, WGSIM_REJECTED);
    wgsim_free(sim);
}
END_TEST

static const char *shader_file(const char *text) {
    static char path[64];
    snprintf(path, sizeof path, "test_host-%d.wgsl", (int)getpid());
    FILE *stream = fopen(path, "w");
    fputs(text, stream);
    fclose(stream);
    return path;
}

START_TEST(shader) {
    const char *path =
        shader_file("override factor: u32;\n"
                    "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n"
                    "@compute @workgroup_size(64)\n"
                    "fn main(@builtin(local_invocation_index) i: u32) {\n"
                    "    out[i] = factor * i;\n"
                    "}\n");
    const char *top = getenv("srcdir");
    char include[512];
    snprintf(include, sizeof include, "%s/include", top ? top : ".");
    struct wgsim *sim = wgsim_new(&(struct wgsim_options){.include = include}, &err);
    OK(wgsim_constant(sim, "factor", 3, &err));
    err.message[0] = 0;
    OK(wgsim_load(sim, path, &err));
    ck_assert_str_eq(err.message, "");
    OK(wgsim_buffer(sim, "out", NULL, 256, &err));
    OK(wgsim_dispatch(sim, NULL, 1, 1, 1, &err));
    OK(wgsim_run(sim, &err));
    const uint32_t *out = wgsim_read(sim, "out", NULL, &err);
    ck_assert_uint_eq(out[63], 189);
    wgsim_free(sim);
    remove(path);
}
END_TEST

START_TEST(rejected_shader) {
    const char *path = shader_file("fn main() {\n    let x = y;\n}\n");
    struct wgsim *sim = wgsim_new(NULL, &err);
    ck_assert_int_lt(wgsim_load(sim, path, &err), 0);
    ck_assert_msg(strstr(err.message, ".wgsl:2:13: ") != NULL, "%s", err.message);
    wgsim_free(sim);
    remove(path);
}
END_TEST

CHECK_MAIN("host", refused_options, refused_calls, plan_is_checked, two_dispatches,
           hang_is_a_verdict, schedules, threads, limits, shader, rejected_shader)
