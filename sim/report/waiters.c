/* Grouping the waiters of a deadlock. */
#include "sim/report/waiters.h"

#include <stdlib.h>

bool waiters_same_family(const struct explain_waiter *a, const struct explain_waiter *b) {
    return a->site == b->site && a->loop == b->loop && a->var == b->var && a->freed == b->freed &&
           a->meets == b->meets && a->has_writer == b->has_writer &&
           (!a->has_writer || a->writer_site == b->writer_site) && a->has_origin == b->has_origin &&
           (!a->has_origin || a->origin_site == b->origin_site);
}

static bool same_story(const struct explain_waiter *a, const struct explain_waiter *b) {
    return a->offset == b->offset && a->value == b->value &&
           (!a->has_writer || a->writer == b->writer) && (!a->has_origin || a->origin == b->origin);
}

static int compare_ids(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

/* The waiter's group. A new one shares the room for ids with all others until it is divided. */
static struct wait_group *group_of(struct wait_group *groups, size_t *count, uint64_t *ids,
                                   const struct explain_waiter *waiter) {
    for (size_t i = 0; i < *count; i++)
        if (waiters_same_family(groups[i].first, waiter))
            return &groups[i];
    groups[*count] = (struct wait_group){.first = waiter, .ids = ids};
    return &groups[(*count)++];
}

struct wait_group *waiters_group(const struct explanation *deadlock, struct arena *arena,
                                 size_t *count) {
    size_t total = deadlock->waiter_count;
    struct wait_group *groups = arena_alloc(arena, (total + 1) * sizeof *groups);
    uint64_t *ids = arena_alloc(arena, (total + 1) * sizeof *ids);

    *count = 0;
    if (!groups || !ids)
        return NULL;
    for (size_t i = 0; i < total; i++)
        group_of(groups, count, ids, &deadlock->waiters[i])->count++;
    uint64_t *next = ids;
    for (size_t i = 0; i < *count; i++) {
        groups[i].ids = next;
        next += groups[i].count;
        groups[i].count = 0;
    }
    for (size_t i = 0; i < total; i++) {
        const struct explain_waiter *waiter = &deadlock->waiters[i];
        struct wait_group *group = group_of(groups, count, ids, waiter);
        group->family |= !same_story(group->first, waiter);
        group->words |= group->first->offset != waiter->offset;
        if (waiter->writer_pending && !group->first->writer_pending)
            group->first = waiter;
        group->ids[group->count++] = waiter->workgroup;
        group->spinning += waiter->spinning;
        group->at_barrier += waiter->at_barrier;
    }
    for (size_t i = 0; i < *count; i++)
        qsort(groups[i].ids, groups[i].count, sizeof *groups[i].ids, compare_ids);
    return groups;
}

bool wait_group_has(const struct wait_group *group, uint64_t id) {
    return bsearch(&id, group->ids, group->count, sizeof id, compare_ids) != NULL;
}
