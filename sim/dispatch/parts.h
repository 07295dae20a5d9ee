/* What the parts of running a dispatch share. Each uses those that stand before it here alone. */
#ifndef SIM_DISPATCH_PARTS_H
#define SIM_DISPATCH_PARTS_H

#include "sim/dispatch/dispatch.h"

/* ---- Telling ---- */

/* Whether to make a record: there may be one for each step. */
static inline bool dispatch_is_heard(const struct dispatch *d, enum record_type type) {
    return d->heard >> type & 1;
}
/* Tells listeners, if some have use for it. `subgroup`, `site`: may be NULL. */
void dispatch_tell_of(struct dispatch *dispatch, enum record_type type, uint64_t cycle,
                      const struct workgroup *workgroup, const struct subgroup *subgroup,
                      const struct wg_site *site);

/* ---- Pace ---- */

/* Where steps take as long as the pace says, nothing else takes time. */
void dispatch_init_timing(struct dispatch *dispatch);
/* The cycle at which a step ends that began at the present one. */
uint64_t dispatch_end_of_step(struct dispatch *dispatch);
/* When the subgroup that steps makes its next step, where time is not modelled. */
uint64_t dispatch_next_step(struct dispatch *dispatch, const struct subgroup *subgroup);

/* ---- Setting up ---- */

/* Frees all residents, and the workgroups that are kept for the next ones. */
void dispatch_drop_all(struct dispatch *dispatch);

/* ---- Admission ---- */

/* An event of a subgroup, or EVENT_END for the end of the workgroup. -1: out of memory. */
int dispatch_push(struct dispatch *dispatch, struct workgroup *workgroup, uint32_t subgroup,
                  uint64_t cycle);
/* One event for all subgroups in schedule->starting: they are neighbours in the order of events.
 * -1: out of memory. */
int dispatch_push_starting(struct dispatch *dispatch, struct workgroup *workgroup, uint64_t cycle);
/* A workgroup started or ended. */
void dispatch_residents_changed(struct dispatch *dispatch);
/* Admits all that there is room for; `cycle`: when that was found. -1: the run cannot be made. */
int dispatch_admit(struct dispatch *dispatch, uint64_t cycle);
/* A resident gives its place up, and its invocations. */
void dispatch_leave_slot(struct dispatch *dispatch, struct workgroup *workgroup);

/* ---- Barriers and ends ---- */

/* The parties at a barrier that opens stand apart. */
void dispatch_tell_apart(void *self, const struct workgroup *workgroup, const struct wg_site *site,
                         bool different_calls);
/* -1: the run cannot be made. */
int dispatch_end_workgroup(struct dispatch *dispatch, struct workgroup *workgroup, uint64_t cycle);
/* No subgroup of the workgroup can run: its barrier opens, or it ends when its last subgroup does.
 * -1: out of memory. */
int dispatch_settle_workgroup(struct dispatch *dispatch, struct workgroup *workgroup);

/* ---- Parking ---- */

/* Storage has changed: those that were parked start again as room is found, the first parked first.
 * -1: the run cannot be made. */
int dispatch_unpark(struct dispatch *dispatch);
/* The residents that have invocations are proved to wait for ever: parks those that can be, and
 * admits others. Where that is possible the verdict is taken back. -1: the run cannot be made. */
int dispatch_try_park(struct dispatch *dispatch);

/* ---- Steps ---- */

/* Runs ready lanes of a subgroup, each to its next suspension; in lockstep it chooses them itself.
 * -1: the run cannot be made. */
int dispatch_execute(struct dispatch *dispatch, struct workgroup *workgroup,
                     struct subgroup *subgroup, struct lanes lanes);

/* ---- The loop ---- */

/* From outside, and only behind a record: so a run can be made to end there again. What threads
 * have begun is counted, and must be admitted before. */
bool dispatch_is_stopped(const struct dispatch *dispatch);
/* From the first admission until nothing is left to do, something is proved or ran out, or what was
 * done is void. -1: the run cannot be made. */
int dispatch_run_events(struct dispatch *dispatch);

#endif
