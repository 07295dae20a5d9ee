/* Work on items that is done here, one after the other, or by several processes: what the options
 * --shard, --append and --jobs ask for. */
#ifndef SIM_CLI_SPLIT_H
#define SIM_CLI_SPLIT_H

#include "sim/cli/shard.h"

struct split_options {
    const char *shard;  /* I/N; NULL: all */
    const char *append; /* NULL, or a file that finished items are appended to */
    uint32_t jobs;      /* processes */
};

struct split_work {
    /* Does an item, and leaves its result in the list, or NULL if it was interrupted. */
    int (*item)(void *self, size_t item, struct wgsim_error *err);
    void *self;
    int argc; /* the command line, for more processes */
    char *const *argv;
};

/* Whether the options go together. */
int split_check(const struct split_options *options, struct wgsim_error *err);

/* Whether this process is the first of those that do the work, which says for all of them what is
 * to be said once. */
bool split_is_first(const struct split_options *options);

/* Does what belongs to the shard and has no result yet. *interrupted: the signal that ended it
 * early, which is no error, or 0; of a single process `item` knows. */
int split_run(const struct split_work *work, const struct split_options *options,
              struct shard_results *results, int *interrupted, struct wgsim_error *err);

#endif
