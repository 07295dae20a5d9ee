/* A resident workgroup: its invocations as coroutines, its subgroups, its workgroup memory. */
#ifndef SIM_WORKGROUP_H
#define SIM_WORKGROUP_H

#include "sim/coro/coro.h"
#include "sim/kernel.h"
#include "sim/lanes.h"
#include "sim/match.h"

/* Rows that a subgroup may log before its lanes must stop. */
enum { LOG_ROWS = 256, LOG_BLOCKS = LANES_MAX / WG_LOG_ROW };

/* The log of the subgroup that runs: one block of 32 columns for every 32 lanes. */
struct lane_log {
    uint64_t *words;
    uint32_t row_limit; /* LOG_ROWS, or 0: every access is a meeting point */
    /* The last step. */
    uint32_t count[LANES_MAX]; /* rows that each lane wrote; 0 for lanes that did not run */
    uint32_t most, fewest;     /* of the lanes that ran */
    bool alike;                /* all stopped for one reason */
    bool united;               /* those that did not return stopped at one site for one reason */
    match_fn *match;
};

int lane_log_init(struct lane_log *log, struct wgsim_error *err);
void lane_log_release(struct lane_log *log);
static inline uint64_t *lane_log_block(const struct lane_log *log, uint32_t block) {
    return log->words + (size_t)block * (LOG_ROWS + 2) * WG_LOG_ROW;
}

struct tracks;
struct past;
struct lockstep;
struct schedule;
struct weak_copy;

struct subgroup {
    uint32_t index, first, width; /* first: local index of lane 0 */
    struct lanes live;            /* have not returned */
    struct lanes ready;           /* can run */
    struct lanes at_barrier;      /* wait at a barrier */
    struct lanes collective;      /* wait for a subgroup operation */
    struct lanes chained;         /* the lanes that `next` of the slots leads through */
    struct tracks *tracks;        /* where its lanes are: see judge.h */
    struct lockstep *lockstep;    /* its execution mask: see lockstep.h */
    struct past *past;            /* its earlier states: see watch.h */
};

/* What all workgroups of a dispatch have in common. */
struct launch {
    const struct kernel *kernel;
    const struct wg_entry *entry;
    const union wg_value *overrides; /* by id */
    struct wg_view
        buffers[WG_MAX_VARS + 1]; /* views of bindings; workgroup variables: data is an offset */
    uint64_t memory_bytes;        /* of workgroup memory, each variable rounded up to 16 */
    uint32_t groups[3], size[3];
    uint32_t invocations, subgroup_size, subgroups;
    bool lockstep;
    const struct wg_ops *ops;
};

struct workgroup {
    struct wg_ctx ctx; /* first: kernels see only this */
    const struct launch *launch;
    uint64_t id; /* linear */
    uint32_t cu, slot;
    uint32_t live, waiting; /* invocations that have not returned; that wait at a barrier */
    bool stored;            /* it has changed storage since it started */
    uint32_t epoch;         /* barriers passed since it started */
    struct wg_slot *slots;  /* by local index, then the scheduler's own */
    struct subgroup *subgroups;
    struct coro_stacks stacks;
    uint8_t *memory;
    void *user;                /* the dispatch that runs it */
    struct schedule *schedule; /* what its subgroups have still to be charged for: see schedule.h */
    struct weak_copy *weak;    /* --memory=weak: what it sees of storage, see weak.h */
    struct workgroup *next_free;
};

/* Memory for one resident workgroup of a launch, reusable for others of the same launch. Without
 * lanes it can only be named: another one runs in its place. */
struct workgroup *workgroup_new(const struct launch *launch, bool lanes, struct wgsim_error *err);
void workgroup_free(struct workgroup *workgroup);

/* Names it workgroup `id`. */
void workgroup_name(struct workgroup *workgroup, uint64_t id);
/* Makes it workgroup `id`: memory zeroed, all invocations at their start. */
void workgroup_start(struct workgroup *workgroup, uint64_t id);

/* Runs some of the ready lanes of a subgroup in ascending order, each to its next suspension, and
 * sorts them by why they stopped. */
void workgroup_step(struct workgroup *workgroup, struct subgroup *subgroup, struct lanes lanes,
                    struct lane_log *log);

/* All live invocations wait at a barrier. */
static inline bool workgroup_all_wait(const struct workgroup *workgroup) {
    return workgroup->live > 0 && workgroup->waiting == workgroup->live;
}
/* Lets all that wait at a barrier go on. */
void workgroup_release(struct workgroup *workgroup);

/* Performs the subgroup operation that lanes of `subgroup` wait for: those that stand at the same
 * place as the lowest of them become ready. */
void workgroup_collect(struct workgroup *workgroup, struct subgroup *subgroup);

static inline struct wg_slot *subgroup_slot(const struct workgroup *w, const struct subgroup *s,
                                            uint32_t lane) {
    return &w->slots[s->first + lane];
}

/* Where a lane is suspended: a site's id, WG_AT_START or WG_AT_END; and why: enum wg_event, for a
 * mark its kind above. */
static inline uint32_t subgroup_site(const struct workgroup *w, const struct subgroup *s,
                                     uint32_t lane) {
    return (uint32_t)w->ctx.stops[s->first + lane];
}
static inline uint32_t subgroup_event(const struct workgroup *w, const struct subgroup *s,
                                      uint32_t lane) {
    return (uint32_t)(w->ctx.stops[s->first + lane] >> 32);
}

/* Whether some invocation overran its stack: nothing can be trusted then. */
bool workgroup_overflown(const struct workgroup *workgroup);

#endif
