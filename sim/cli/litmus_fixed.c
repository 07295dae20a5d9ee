/* Litmus tests on one schedule each. */
#include "sim/cli/litmus_fixed.h"

#include <stdio.h>

#include "sim/cli/litmus_output.h"
#include "sim/cli/options.h"
#include "sim/error.h"
#include "sim/progress/litmus.h"
#include "sim/run.h"

static int run_test(const struct setup *setup, const struct kernel *kernel, const char *program,
                    enum verdict *verdict, struct wgsim_error *err) {
    const struct run_observers nobody = {0};
    struct run run = {0};
    struct job job;
    int result = litmus_job(&job, kernel, program, err);

    if (result == 0)
        result = run_job(&run, &job, &setup->device, &setup->run, &setup->limits, &nobody, err);
    *verdict = run.verdict;
    run_release(&run);
    job_release(&job);
    return result;
}

static int run_tests(json_t *rows, const struct litmus_file *file, const struct kernel *kernel,
                     const struct setup *setup, struct wgsim_error *err) {
    for (size_t i = 0; i < file->count; i++) {
        enum verdict verdict;
        if (run_test(setup, kernel, file->tests[i].program, &verdict, err) < 0)
            return -1;
        json_t *row = litmus_row(&file->tests[i], i);
        json_object_set_new(row, "verdict", json_string(verdict_names[verdict]));
        json_array_append_new(rows, row);
    }
    return 0;
}

static int print(const json_t *rows, bool json) {
    static const char *const columns[] = {"verdict", NULL};

    if (!json) {
        litmus_print_table(rows, columns);
        return 0;
    }
    json_t *root = json_pack("{s:s, s:O}", "schema", "wgsim-fingerprint/1", "tests", rows);
    return progress_print(root) < 0 ? 2 : 0;
}

int litmus_fixed(const char *path, bool json, const struct setup *setup) {
    struct litmus_file file = {0};
    struct kernel kernel = {0};
    struct wgsim_error err;
    json_t *rows = json_array();

    arena_init(&file.arena);
    int result = litmus_read(&file, path, &err);
    if (result == 0)
        result = kernel_init(&kernel, &litmus_kernel, "litmus", &err);
    if (result == 0)
        result = run_tests(rows, &file, &kernel, setup, &err);
    int status = result < 0 ? cli_fail(&err) : print(rows, json);
    json_decref(rows);
    kernel_release(&kernel);
    litmus_release(&file);
    return status;
}
