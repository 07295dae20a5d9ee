/* Items done here or by several processes. */
#include "sim/cli/split.h"

#include <stdlib.h>
#include <unistd.h>

#include "sim/cli/jobs.h"
#include "sim/error.h"

int split_check(const struct split_options *options, struct wgsim_error *err) {
    struct shard shard;

    if (options->jobs < 1 || options->jobs > JOBS_MAX)
        return error_set(err, "--jobs must be from 1 to %d", JOBS_MAX);
    if (options->jobs > 1 && (options->shard || options->append))
        return error_set(err, "--jobs splits the work itself: leave --shard and --append out");
    return shard_parse(&shard, options->shard, err);
}

bool split_is_first(const struct split_options *options) {
    struct shard shard;

    return options->jobs == 1 && shard_parse(&shard, options->shard, NULL) == 0 && shard.index == 1;
}

/* ---- One process ---- */

static int do_items(const struct split_work *work, const struct split_options *options,
                    struct shard_results *results, FILE *file, struct wgsim_error *err) {
    struct shard shard;

    if (shard_parse(&shard, options->shard, err) < 0)
        return -1;
    for (size_t i = 0; i < results->count; i++) {
        if (!shard_has(&shard, i) || results->items[i])
            continue;
        if (work->item(work->self, i, err) < 0)
            return -1;
        if (!results->items[i])
            return 0;
        results->present++;
        if (file && shard_append(file, options->append, i, results->items[i], err) < 0)
            return -1;
    }
    return 0;
}

static int do_here(const struct split_work *work, const struct split_options *options,
                   struct shard_results *results, struct wgsim_error *err) {
    FILE *file = options->append ? shard_open(options->append, results, err) : NULL;

    if (options->append && !file)
        return -1;
    int result = do_items(work, options, results, file, err);
    if (file)
        fclose(file);
    return result;
}

/* ---- Several ---- */

static int read_and_remove(struct shard_results *results, const char *folder, uint32_t jobs,
                           struct wgsim_error *err) {
    char path[4096];
    int result = 0;

    for (uint32_t i = 1; i <= jobs; i++) {
        snprintf(path, sizeof path, "%s/%u", folder, i);
        if (access(path, F_OK) != 0)
            continue;
        if (result == 0)
            result = shard_results_read(results, path, err);
        unlink(path);
    }
    return result;
}

static int do_in_processes(const struct split_work *work, uint32_t jobs,
                           struct shard_results *results, int *interrupted,
                           struct wgsim_error *err) {
    const char *tmp = getenv("TMPDIR");
    char folder[2048];
    struct wgsim_error why;

    snprintf(folder, sizeof folder, "%s/wgsim-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder))
        return error_set(err, "cannot create a folder for results in %s",
                         tmp && *tmp ? tmp : "/tmp");
    int ran = jobs_run(work->argc, work->argv, jobs, folder, interrupted, err);
    int result = read_and_remove(results, folder, jobs, &why);
    rmdir(folder);
    if (ran == 0 && result < 0)
        *err = why;
    return ran < 0 ? -1 : result;
}

int split_run(const struct split_work *work, const struct split_options *options,
              struct shard_results *results, int *interrupted, struct wgsim_error *err) {
    *interrupted = 0;
    if (options->jobs > 1)
        return do_in_processes(work, options->jobs, results, interrupted, err);
    return do_here(work, options, results, err);
}
