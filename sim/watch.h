/* Watching for the proof that a run can never go on.
 *
 * A window opens when every runnable subgroup was stepped since the last change: a store of another
 * value, an invocation that ended, a workgroup that started. Inside it memory is constant, so an
 * invocation that comes back to an earlier own state (saved registers and used stack, compared by
 * bytes) is a closed loop on its own, in whatever order the residents run: barriers only delay it.
 * Lanes that tell each other something by subgroup operations must all come back at once. When all
 * that moved have, nothing can ever change: one that did not waits at a barrier (or in lockstep for
 * other lanes) which none of the loops passes, or it would have moved. */
#ifndef SIM_WATCH_H
#define SIM_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/lanes.h"

struct workgroup;
struct subgroup;
struct watch;

struct watch *watch_new(void);
void watch_free(struct watch *watch);

/* Something changed. */
void watch_change(struct watch *watch);
/* How often. */
uint64_t watch_changes(const struct watch *watch);
/* A step of a subgroup, in which nothing changed. */
struct watch_step {
    const struct workgroup *workgroup;
    struct subgroup *subgroup;
    struct lanes ran;
    bool collected;    /* a subgroup operation was performed, for all that live */
    uint32_t stepping; /* subgroups that do not wait at barriers; this one does not yet */
};
/* True: proved. */
bool watch_quiet_step(struct watch *watch, const struct watch_step *step);
/* A subgroup waits at a barrier from now on. */
void watch_wait(struct watch *watch, struct subgroup *subgroup);
/* The barrier of a workgroup opens. That counts as a change until each of so many residents may
 * have gone round a loop with a barrier: most that open are not in one. */
void watch_release(struct watch *watch, const struct workgroup *workgroup, uint32_t residents);
/* The longest period found, in steps of one subgroup. */
uint64_t watch_period(const struct watch *watch);
/* A hash of a suspended invocation's own state. */
uint64_t watch_state_hash(const struct workgroup *workgroup, const struct subgroup *subgroup,
                          uint32_t lane);
/* Frees what watching keeps in a workgroup. */
void watch_forget(struct workgroup *workgroup);

#endif
