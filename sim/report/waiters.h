/* The waiters of a deadlock, grouped by their stories. */
#ifndef SIM_REPORT_WAITERS_H
#define SIM_REPORT_WAITERS_H

#include "sim/explain.h"

/* Waiters with one story: on one word for one writer, or (a family) at one place, each on another
 * word. */
struct wait_group {
    const struct explain_waiter
        *first; /* of a family: the one whose writer is in the queue, if any */
    bool family;
    bool words;    /* of a family: they look at different words, not only at values of one */
    uint64_t *ids; /* of their workgroups, ascending */
    size_t count;
    uint64_t spinning, at_barrier; /* invocations */
};

/* Groups by place, in the order of their first waiters; NULL: out of memory. */
struct wait_group *waiters_group(const struct explanation *deadlock, struct arena *arena,
                                 size_t *count);
/* Whether a workgroup is one of them. */
bool wait_group_has(const struct wait_group *group, uint64_t id);
/* Whether two waiters belong to one group. */
bool waiters_same_family(const struct explain_waiter *a, const struct explain_waiter *b);

#endif
