/* Admission orders. */
#include "sim/queue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/mix.h"
#include "sim/units.h"

const char *const queue_order_names[] = {"ascending", "descending", "random", NULL};

void queue_init(struct queue *queue, enum queue_order order, uint64_t total, uint64_t seed,
                const uint64_t *list) {
    *queue =
        (struct queue){.order = order, .total = total, .seed = seed, .list = list, .half_bits = 1};
    while (queue->half_bits < 32 && UINT64_C(1) << 2 * queue->half_bits < total)
        queue->half_bits++;
}

/* A Feistel network is a permutation of 2^(2 half_bits) values; walking on from values outside
 * makes it one of 0 to total - 1. */
static uint64_t permute(const struct queue *queue, uint64_t value) {
    uint64_t mask = (UINT64_C(1) << queue->half_bits) - 1;

    do {
        uint64_t left = value >> queue->half_bits, right = value & mask;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t mixed = left ^ (mix(right * 4 + round + mix(queue->seed)) & mask);
            left = right;
            right = mixed;
        }
        value = left << queue->half_bits | right;
    } while (value >= queue->total);
    return value;
}

uint64_t queue_at(const struct queue *queue, uint64_t position) {
    switch (queue->order) {
    case ORDER_DESCENDING:
        return queue->total - 1 - position;
    case ORDER_RANDOM:
        return permute(queue, position);
    case ORDER_LIST:
        return queue->list[position];
    default:
        return position;
    }
}

static int read_ids(FILE *file, const char *path, uint64_t total, uint64_t *list, bool *seen,
                    struct wgsim_error *err) {
    char line[64];
    uint64_t count = 0;

    while (fgets(line, sizeof line, file)) {
        uint64_t id;
        if (!strchr(line, '\n') && !feof(file))
            return error_set(err, "%s: not a list of workgroups, one a line", path);
        line[strcspn(line, "\r\n")] = 0;
        if (!line[0])
            continue;
        if (parse_u64(line, &id, NULL) < 0 || id >= total)
            return error_set(err, "%s: '%s' is not a workgroup of 0 to %llu", path, line,
                             (unsigned long long)total - 1);
        if (seen[id])
            return error_set(err, "%s: workgroup %llu is listed twice", path,
                             (unsigned long long)id);
        seen[id] = true;
        list[count++] = id;
    }
    if (count != total)
        return error_set(err, "%s: lists %llu workgroups of %llu", path, (unsigned long long)count,
                         (unsigned long long)total);
    return 0;
}

int queue_read_list(const char *path, uint64_t listed, uint64_t total, uint64_t **list,
                    struct wgsim_error *err) {
    FILE *file = fopen(path, "re");

    if (!file)
        return error_set(err, "cannot read %s: %s", path, strerror(errno));
    bool *seen = calloc(listed + 1, sizeof *seen);
    *list = calloc(listed + 1, sizeof **list);
    int result = *list && seen ? read_ids(file, path, listed, *list, seen, err)
                               : error_set(err, "out of memory");
    for (uint64_t from = 0, to = 0; result == 0 && from < listed; from++)
        if ((*list)[from] < total)
            (*list)[to++] = (*list)[from];
    free(seen);
    fclose(file);
    if (result < 0) {
        free(*list);
        *list = NULL;
    }
    return result;
}
