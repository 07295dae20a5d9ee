/* Deciding litmus tests one after the other, or in several processes. */
#include "sim/cli/progress_litmus.h"

#include <string.h>

#include "sim/cli/litmus_output.h"
#include "sim/cli/options.h"
#include "sim/error.h"
#include "sim/trace/hash.h"

struct work {
    const struct litmus_request *request;
    struct setup *setup;
    struct litmus_file file;
    struct kernel kernel;
    struct shard_results results;
    struct wgsim_error err;
};

/* ---- One test ---- */

static int decide_job(struct work *work, struct job *job, struct decision *decision,
                      struct wgsim_error *err) {
    struct setup *setup = work->setup;

    return decide(decision, job, &setup->device, &setup->run, &work->request->limits, false,
                  &setup->arena, err);
}

static int decide_test(void *self, size_t item, struct wgsim_error *err) {
    struct work *work = self;
    const struct litmus_test *test = &work->file.tests[item];
    struct decision decision;
    struct job job;
    int result = litmus_job(&job, &work->kernel, test->program, err);

    if (result == 0)
        result = decide_job(work, &job, &decision, err);
    if (result == 0)
        work->results.items[item] = litmus_verdicts(test, item, &decision);
    job_release(&job);
    return result;
}

/* ---- The whole ---- */

/* What tells this work from other work: the tests and the limits. */
static void name_work(const struct work *work, char *name, size_t bytes) {
    const struct graph_options *limits = &work->request->limits;
    uint64_t hash = HASH_START;

    for (size_t i = 0; i < work->file.count; i++) {
        hash = hash_text(hash, work->file.tests[i].config);
        hash = hash_text(hash, work->file.tests[i].id);
        hash = hash_text(hash, work->file.tests[i].program);
    }
    snprintf(name, bytes, "litmus-%016llx-%u-%llx-%llx-%llx", (unsigned long long)hash,
             limits->resident, (unsigned long long)limits->max_states,
             (unsigned long long)limits->max_bytes, (unsigned long long)limits->max_steps);
}

static int report(struct work *work) {
    json_t *rows = json_array();
    int status = 0;

    for (size_t i = 0; i < work->results.count; i++) {
        json_t *row = work->results.items[i];
        for (int m = 0; row && m < MODEL_COUNT; m++) {
            const char *letter = json_string_value(json_object_get(row, models[m].name));
            if ((work->request->fail_on >> m & 1) && letter && strcmp(letter, "F") == 0)
                status = 1;
        }
        if (row)
            json_array_append(rows, row);
    }
    if (work->request->split.append) {
        json_decref(rows);
        return status;
    }
    return litmus_print(rows, work->request->json) < 0 ? 2 : status;
}

static int prepare(struct work *work) {
    const struct litmus_request *request = work->request;
    char name[SHARD_WORK_MAX];

    if (split_check(&request->split, &work->err) < 0 ||
        litmus_read(&work->file, request->path, &work->err) < 0)
        return -1;
    name_work(work, name, sizeof name);
    return shard_results_init(&work->results, name, NULL, work->file.count, &work->err);
}

static int decide_all(struct work *work, int *interrupted) {
    const struct litmus_request *request = work->request;
    struct split_work split = {
        .item = decide_test, .self = work, .argc = request->argc, .argv = request->argv};

    if (kernel_init(&work->kernel, &litmus_kernel, "litmus", &work->err) < 0)
        return -1;
    int result = split_run(&split, &request->split, &work->results, interrupted, &work->err);
    kernel_release(&work->kernel);
    return result;
}

int progress_litmus(const struct litmus_request *request, struct setup *setup) {
    struct work work = {.request = request, .setup = setup};
    int interrupted = 0;

    arena_init(&work.file.arena);
    int result = prepare(&work);
    if (result == 0)
        result = decide_all(&work, &interrupted);
    int status = result < 0 ? cli_fail(&work.err) : report(&work);
    shard_results_release(&work.results);
    litmus_release(&work.file);
    return interrupted ? 128 + interrupted : status;
}
