/* Running workgroups one at a time, each to its end, before time has come to that. Only where
 * nothing that others do could change what it does: the guard finds out. */
#ifndef SIM_RUNNER_H
#define SIM_RUNNER_H

#include "sim/guard.h"
#include "sim/judge/judge.h"
#include "sim/schedule.h"
#include "sim/watch.h"

/* What a workgroup came to. */
struct runner_account {
    size_t requests;
    /* Where every step takes one cycle: cycles that it took, and that subgroups waited at barriers.
     */
    uint64_t cycles, waited;
};

struct runner {
    struct workgroup *workgroup; /* NULL: there is no runner */
    struct judge *judge;
    struct lane_log *logs; /* two */
    bool at_once;          /* somebody looks at memory as each step left it */
    /* .conflict: workgroups communicate, or one takes too long or turns for ever; all is void */
    struct guard guard;
    struct watch *watch; /* of a workgroup that has made many rounds; NULL: of none yet */
    bool watching;
    uint32_t live; /* invocations that have not returned, as watching saw them */
    bool even;     /* every step takes one cycle: steps are not kept in the schedule */
    struct requests unkept;
    /* A barrier opens whose parties stand apart, or that some invocations will not come to. */
    void (*apart)(void *self, const struct workgroup *workgroup, const struct wg_site *site,
                  bool different_calls);
    void *self;
    uint64_t workgroups; /* run so far */
    struct runner_account account;
    uint64_t *steps, *barriers; /* where they are counted */
};

/* Makes the workgroup and the guard; the other members are the caller's. -1: out of memory. */
int runner_init(struct runner *runner, const struct launch *launch, struct wgsim_error *err);
void runner_release(struct runner *runner);
/* Must be among the judge's observers. */
struct row_observer runner_guard(struct runner *runner);

/* Runs workgroup `id` to its end, or to a conflict. What it is to be charged for goes to
 * `schedule`, which may be NULL if steps are even. -1: out of memory, or a stack was overrun. */
int runner_run(struct runner *runner, uint64_t id, struct schedule *schedule,
               struct wgsim_error *err);
/* What is wrong with an invocation that has overrun its stack. */
extern const char runner_overrun[];
/* Says so. Returns -1. */
int runner_tell_overrun(const struct launch *launch, struct wgsim_error *err);
/* -1: an invocation has overrun its stack. runner_run looks only now and then. */
int runner_check_stacks(const struct workgroup *workgroup, struct wgsim_error *err);

#endif
