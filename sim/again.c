/* Running again, with the buffers of the job put by. */
#include "sim/again.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"

static void free_results(uint8_t **results, size_t count) {
    for (size_t i = 0; results && i < count; i++)
        free(results[i]);
    free(results);
}

static uint8_t **keep_results(const struct job *job) {
    uint8_t **results = calloc(job->buffer_count + 1, sizeof *results);

    for (size_t i = 0; results && i < job->buffer_count; i++) {
        results[i] = malloc(job->buffers[i].bytes + 1);
        if (!results[i]) {
            free_results(results, i);
            return NULL;
        }
        memcpy(results[i], job->buffers[i].data, job->buffers[i].bytes);
    }
    return results;
}

static void put_results_back(struct job *job, uint8_t **results) {
    for (size_t i = 0; i < job->buffer_count; i++)
        memcpy(job->buffers[i].data, results[i], job->buffers[i].bytes);
}

int again_run(struct again *again, const struct run_observers *observers, struct wgsim_error *err) {
    const struct run *run = again->run;
    struct run_options options = *run->options;
    struct limits none = {.whose = "nobody",
                          .workgroup_storage_bytes = UINT32_MAX,
                          .workgroup_invocations = UINT32_MAX,
                          .workgroup_size = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
                          .workgroups_per_dimension = UINT32_MAX};
    struct run second;
    uint8_t **results;

    if (options.stop && *options.stop)
        return 0;
    results = keep_results(run->job);
    if (!results)
        return error_set(err, "out of memory");
    options.stop = &again->stop;
    job_reset(run->job);
    int result = run_job(&second, run->job, run->device, &options, &none, observers, err);
    if (result == 0)
        run_release(&second);
    put_results_back(run->job, results);
    free_results(results, run->job->buffer_count);
    return result;
}
