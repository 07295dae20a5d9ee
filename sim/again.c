/* Running again, with the buffers of the job put by. */
#include "sim/again.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"

static uint64_t results_bytes(const struct job *job) {
    uint64_t bytes = 0;

    for (size_t i = 0; i < job->buffer_count; i++)
        bytes += job->buffers[i].bytes;
    return bytes;
}

/* The contents of all buffers, one behind the other. */
static uint8_t *keep_results(const struct job *job) {
    uint8_t *results = malloc(results_bytes(job) + 1), *at = results;

    for (size_t i = 0; results && i < job->buffer_count; at += job->buffers[i++].bytes)
        memcpy(at, job->buffers[i].data, job->buffers[i].bytes);
    return results;
}

static void put_results_back(struct job *job, const uint8_t *results) {
    for (size_t i = 0; i < job->buffer_count; results += job->buffers[i++].bytes)
        memcpy(job->buffers[i].data, results, job->buffers[i].bytes);
}

int again_run_otherwise(const struct again *again, const struct again_way *way,
                        struct wgsim_error *err) {
    const struct run *run = again->run;
    struct limits none = limits_none();
    struct run second;
    uint8_t *results = keep_results(run->job);

    if (!results)
        return error_set(err, "out of memory");
    job_reset(run->job);
    int result = run_job(&second, run->job, run->device, way->options, &none, way->observers, err);
    if (result == 0) {
        if (way->ended)
            way->ended(way->self, &second);
        run_release(&second);
    }
    put_results_back(run->job, results);
    free(results);
    return result;
}

int again_run(struct again *again, const struct run_observers *observers, struct wgsim_error *err) {
    struct run_options options = *again->run->options;
    const struct again_way way = {.options = &options, .observers = observers};

    if (options.stop && *options.stop)
        return 0;
    options.stop = &again->stop;
    return again_run_otherwise(again, &way, err);
}
