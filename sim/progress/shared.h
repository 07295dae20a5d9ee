/* The words of storage that several workgroups touch, as a list: with them known beforehand, one
 * way through the states takes the same steps as the whole search that found them. */
#ifndef SIM_PROGRESS_SHARED_H
#define SIM_PROGRESS_SHARED_H

#include "sim/arena.h"
#include "sim/progress/system.h"

/* Neighbours in one variable. */
struct shared_words {
    uint32_t var;
    uint64_t first, count; /* in words of 4 bytes */
};

struct shared_list {
    struct shared_words *items;
    size_t count;
};

/* -1: out of memory. */
int shared_collect(struct shared_list *list, const struct system *system, struct arena *arena);
/* -1: some are not there. */
int shared_apply(const struct shared_list *list, struct system *system);

#endif
