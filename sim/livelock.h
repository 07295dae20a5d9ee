/* Watching for the proof that a run goes round in a circle: its whole state comes back, although
 * memory changed in between, so that this schedule never ends.
 *
 * The state is all that decides how a run goes on: what is in the stacks and saved registers of the
 * residents' invocations, where they stand, workgroup memory and storage, what is still to be
 * charged, the queue of events and the pipes of the device, with times as seen from now. Iterations
 * of loops, which only join accesses to requests, count as seen from the lowest lane that can run.
 * All is compared by bytes; a cheap look at the next event says when that is worth the while. */
#ifndef SIM_LIVELOCK_H
#define SIM_LIVELOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/events.h"
#include "sim/timing.h"
#include "sim/workgroup.h"

struct livelock;

/* A dispatch as this looks at it. */
struct livelock_view {
    const struct launch *launch;
    const struct device *device;
    const struct events *events;
    const struct timing *timing;
    uint64_t steps;   /* of subgroups so far */
    uint64_t changes; /* see watch.h: without one in between it is a deadlock, which that proves */
};

/* NULL: out of memory. */
struct livelock *livelock_new(void);
void livelock_free(struct livelock *livelock);

/* A workgroup started or ended: what was seen before does not come back. Watching begins again
 * after many steps without that, so that it costs nothing otherwise. */
void livelock_restart(struct livelock *livelock, uint64_t steps);
/* Whether it is time to look: between two events, after so many steps. */
bool livelock_due(const struct livelock *livelock, uint64_t steps);
/* Whether the residents are known; else all must be added, in any order that stays. */
bool livelock_knows_residents(const struct livelock *livelock);
/* -1: out of memory. */
int livelock_add(struct livelock *livelock, const struct workgroup *resident);
/* Looks. True: proved. */
bool livelock_look(struct livelock *livelock, const struct livelock_view *view);
/* In steps of subgroups. */
uint64_t livelock_period(const struct livelock *livelock);

#endif
