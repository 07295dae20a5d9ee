/* The workgroups of a dispatch as processes of which any may make the next step: states that can be
 * saved, compared and gone back to.
 *
 * A step of a workgroup is its next ready invocation's (round robin inside), from one suspension to
 * the next; steps that touch no storage cannot be told from outside and are made at once with the
 * one that does. The first step goes through the first atomic. A state is the number of each
 * workgroup's own state and of the storage's contents; equal numbers are equal bytes: used stacks
 * at their fixed addresses, stops, workgroup memory. */
#ifndef SIM_PROGRESS_SYSTEM_H
#define SIM_PROGRESS_SYSTEM_H

#include "sim/buf.h"
#include "sim/dispatch.h"
#include "sim/progress/intern.h"

enum { SYSTEM_MAX = 32 }; /* workgroups */

/* Numbers of workgroups' states that are no interned strings. */
enum { PROCESS_NOT_STARTED = 0, PROCESS_FINISHED = 1, PROCESS_FIRST = 2 };

struct system_state {
    uint32_t storage;
    uint32_t process[SYSTEM_MAX]; /* PROCESS_..., or a string's number + PROCESS_FIRST */
};

struct process {
    struct workgroup *workgroup;
    uint32_t now;  /* the state that its memory holds */
    uint32_t next; /* local index after that of the invocation that ran last */
};

struct system {
    struct dispatch dispatch; /* for its launch, log and judge; never run */
    struct process processes[SYSTEM_MAX];
    uint32_t count;
    uint32_t storage_now;
    struct intern processes_seen, storage_seen;
    struct buf scratch;
    uint64_t local_steps; /* most in one step, before it is given up as endless */
};

/* What a step did, for people. */
struct system_step {
    const struct wg_site
        *site; /* of the storage access that made it visible; NULL: it ended without one */
    uint32_t var;
    uint64_t offset;
    bool changed; /* storage */
};

/* spec.groups: at most SYSTEM_MAX workgroups in all. */
int system_init(struct system *system, const struct device *device,
                const struct run_options *options, const struct dispatch_spec *spec,
                struct system_state *initial, struct wgsim_error *err);
/* Lets process `which`, which is not finished, make a step from `from`. *step may be NULL. -1: out
 * of memory, or the invocation turned for ever without touching storage. */
int system_make_step(struct system *system, const struct system_state *from, uint32_t which,
                     struct system_state *to, struct system_step *step, struct wgsim_error *err);
void system_release(struct system *system);

static inline bool process_unfinished(const struct system_state *state, uint32_t which) {
    return state->process[which] != PROCESS_FINISHED;
}
static inline bool process_started(const struct system_state *state, uint32_t which) {
    return state->process[which] != PROCESS_NOT_STARTED;
}

#endif
