/* Work split among processes: whose an item is, and files to which finished items are appended. */
#ifndef SIM_CLI_SHARD_H
#define SIM_CLI_SHARD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "wgsim/wgsim.h"

struct shard {
    uint32_t index, count; /* index: 1 to count */
};

/* "I/N"; NULL: all the work. */
int shard_parse(struct shard *shard, const char *text, struct wgsim_error *err);
static inline bool shard_has(const struct shard *shard, size_t item) {
    return item % shard->count == shard->index - 1;
}

/* Results by item, from files. A file's first line says of what work it is, how many items that has
 * in all, and what else a report of it says; each other line is an item. What a crash left of the
 * last line is not one. */
enum { SHARD_WORK_MAX = 128 };

struct shard_results {
    char work[SHARD_WORK_MAX]; /* "": no file was read yet */
    json_t *about;             /* NULL, or what the report says besides the items */
    json_t **items;            /* NULL: missing */
    size_t count, present;
    char torn[256]; /* the first file whose last line has no end, or "" */
};

/* about: NULL, or is taken. */
int shard_results_init(struct shard_results *results, const char *work, json_t *about, size_t count,
                       struct wgsim_error *err);
/* Refuses a file of other work. */
int shard_results_read(struct shard_results *results, const char *path, struct wgsim_error *err);
void shard_results_release(struct shard_results *results);
/* Whether the name of the work begins with the kind, as in "litmus-...". */
bool shard_results_are_of(const struct shard_results *results, const char *kind);
/* Whether all items are there: else the message names those that are missing. */
int shard_results_complete(const struct shard_results *results, struct wgsim_error *err);

/* Opens a file to append items to, for this process alone. What it holds already is read into
 * `results`, so that work that was interrupted goes on. */
FILE *shard_open(const char *path, struct shard_results *results, struct wgsim_error *err);
int shard_append(FILE *file, const char *path, size_t item, const json_t *result,
                 struct wgsim_error *err);

#endif
