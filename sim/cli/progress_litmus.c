/* Deciding litmus tests one after the other, or in several processes. */
#include "sim/cli/progress_litmus.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/jobs.h"
#include "sim/cli/litmus_output.h"
#include "sim/cli/options.h"
#include "sim/cli/shard.h"
#include "sim/error.h"

struct work {
    const struct litmus_request *request;
    struct setup *setup;
    struct litmus_file file;
    struct shard shard;
    struct shard_results results;
    struct wgsim_error err;
};

/* ---- One process ---- */

static int decide_test(struct work *work, const struct kernel *kernel,
                       const struct litmus_test *test, struct decision *decision) {
    struct setup *setup = work->setup;
    struct job job;
    int result = litmus_job(&job, kernel, test->program, &work->err);

    if (result == 0)
        result = decide(decision, &job, &setup->device, &setup->run, &work->request->limits, false,
                        &setup->arena, &work->err);
    job_release(&job);
    return result;
}

/* Decides what belongs to this shard and is not known yet. `file`: NULL, or where it is kept. */
static int decide_tests(struct work *work, const struct kernel *kernel, FILE *file) {
    struct shard_results *results = &work->results;

    for (size_t i = 0; i < work->file.count; i++) {
        struct decision decision;
        if (!shard_has(&work->shard, i) || results->items[i])
            continue;
        if (decide_test(work, kernel, &work->file.tests[i], &decision) < 0)
            return -1;
        results->items[i] = litmus_row(&work->file.tests[i], i, &decision);
        results->present++;
        if (file && shard_append(file, work->request->append, i, results->items[i], &work->err) < 0)
            return -1;
    }
    return 0;
}

static int decide_here(struct work *work) {
    const char *path = work->request->append;
    FILE *file = path ? shard_open(path, &work->results, &work->err) : NULL;
    struct kernel kernel;

    if (path && !file)
        return -1;
    int result = kernel_init(&kernel, &litmus_kernel, "litmus", &work->err);
    if (result == 0) {
        result = decide_tests(work, &kernel, file);
        kernel_release(&kernel);
    }
    if (file)
        fclose(file);
    return result;
}

/* ---- Several ---- */

static int read_and_remove(struct work *work, const char *folder) {
    char path[4096];
    int result = 0;

    for (uint32_t i = 1; i <= work->request->jobs; i++) {
        snprintf(path, sizeof path, "%s/%u", folder, i);
        if (access(path, F_OK) != 0)
            continue;
        if (result == 0)
            result = shard_results_read(&work->results, path, &work->err);
        unlink(path);
    }
    return result;
}

static int decide_in_processes(struct work *work) {
    const struct litmus_request *request = work->request;
    const char *tmp = getenv("TMPDIR");
    char folder[2048];
    struct wgsim_error why;

    snprintf(folder, sizeof folder, "%s/wgsim-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder))
        return error_set(&work->err, "cannot create a folder for results in %s",
                         tmp && *tmp ? tmp : "/tmp");
    int ran = jobs_run(request->argc, request->argv, request->jobs, folder, &why);
    int result = read_and_remove(work, folder);
    rmdir(folder);
    if (ran < 0)
        work->err = why;
    return ran < 0 ? -1 : result;
}

/* ---- The whole ---- */

static uint64_t mix(uint64_t hash, const char *text) {
    for (; text && *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash * 0x100000001b3u;
}

/* What tells this work from other work: the tests and the limits. */
static void name_work(const struct work *work, char *name, size_t bytes) {
    const struct graph_options *limits = &work->request->limits;
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < work->file.count; i++) {
        hash = mix(hash, work->file.tests[i].config);
        hash = mix(hash, work->file.tests[i].id);
        hash = mix(hash, work->file.tests[i].program);
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
    if (work->request->append) {
        json_decref(rows);
        return status;
    }
    return litmus_print(rows, work->request->json) < 0 ? 2 : status;
}

static int prepare(struct work *work) {
    const struct litmus_request *request = work->request;
    char name[SHARD_WORK_MAX];

    if (request->jobs < 1 || request->jobs > JOBS_MAX)
        return error_set(&work->err, "--jobs must be from 1 to %d", JOBS_MAX);
    if (request->jobs > 1 && (request->shard || request->append))
        return error_set(&work->err,
                         "--jobs splits the work itself: leave --shard and --append out");
    if (shard_parse(&work->shard, request->shard, &work->err) < 0 ||
        litmus_read(&work->file, request->path, &work->err) < 0)
        return -1;
    name_work(work, name, sizeof name);
    return shard_results_init(&work->results, name, work->file.count, &work->err);
}

int progress_litmus(const struct litmus_request *request, struct setup *setup) {
    struct work work = {.request = request, .setup = setup};

    arena_init(&work.file.arena);
    int result = prepare(&work);
    if (result == 0)
        result = request->jobs > 1 ? decide_in_processes(&work) : decide_here(&work);
    int status = result < 0 ? cli_fail(&work.err) : report(&work);
    shard_results_release(&work.results);
    litmus_release(&work.file);
    return status;
}
