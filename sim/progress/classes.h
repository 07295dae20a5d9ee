/* The words of storage that are read or shared, as a list: with them known beforehand, one way
 * through the states takes the same steps as the whole search that found them. */
#ifndef SIM_PROGRESS_CLASSES_H
#define SIM_PROGRESS_CLASSES_H

#include "sim/arena.h"
#include "sim/progress/system.h"

/* Neighbours in one variable. */
struct class_range {
    uint32_t var;
    enum word_class class; /* WORD_READ, WORD_SHARED */
    uint64_t first, count; /* in words of 4 bytes */
};

struct class_list {
    struct class_range *items;
    size_t count;
};

/* -1: out of memory. */
int classes_collect(struct class_list *list, const struct system *system, struct arena *arena);
/* From now on no word counts as one that nobody reads. */
void classes_read_all(struct system *system);
/* -1: some are not there. */
int classes_apply(const struct class_list *list, struct system *system);

#endif
