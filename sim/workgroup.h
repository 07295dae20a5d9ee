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
    uint32_t most, fewest;     /* rows that a lane wrote that ran */
    bool even;                 /* all lanes of the subgroup ran and wrote so many */
    bool alike;                /* all stopped for one reason, with the same flow but for turns */
    bool united;               /* those that did not return did */
    struct lanes turned;       /* hand over a turn */
    uint32_t count[LANES_MAX]; /* unless even: rows that each lane wrote; 0 if it did not run */
    const struct matching *matching;
};

int lane_log_init(struct lane_log *log, struct wgsim_error *err);
void lane_log_release(struct lane_log *log);
static inline uint64_t *lane_log_block(const struct lane_log *log, uint32_t block) {
    return log->words + (size_t)block * (LOG_ROWS + 2) * WG_LOG_ROW;
}
static inline uint32_t lane_log_rows(const struct lane_log *log, uint32_t lane) {
    return log->even ? log->most : log->count[lane];
}

struct tracks;
struct past;
struct lockstep;
struct schedule;
struct later;
struct weak_copy;

struct subgroup {
    uint32_t index, first, width; /* first: local index of lane 0 */
    struct lanes live;            /* have not returned */
    struct lanes ready;           /* can run */
    struct lanes at_barrier;      /* wait at a barrier */
    struct lanes collective;      /* wait for a subgroup operation */
    struct wg_lane *blocks;       /* its lanes, in blocks of 32 */
    struct lane_log *log;         /* to which they write */
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
    struct wg_lane *blocks; /* its lanes: those of a subgroup begin a block */
    struct subgroup *subgroups;
    struct coro_stacks stacks;
    uint8_t *memory;
    void *user;                /* the dispatch that runs it */
    struct schedule *schedule; /* what its subgroups have still to be charged for: see schedule.h */
    struct later *later;       /* keeps what its lanes report; NULL: it is told at once */
    struct weak_copy *weak;    /* --memory=weak: what it sees of storage, see weak.h */
    struct workgroup *next_free;
};

/* Memory for one resident workgroup of a launch, reusable for others of the same launch. Without
 * lanes it can only be named: another one runs in its place. */
struct workgroup *workgroup_new(const struct launch *launch, bool lanes, struct wgsim_error *err);
void workgroup_free(struct workgroup *workgroup);

/* Names it workgroup `id`. */
void workgroup_name(struct workgroup *workgroup, uint64_t id);
/* Its next start finds no trace of this run on the stacks. */
void workgroup_abandon(struct workgroup *workgroup);
/* Makes it workgroup `id`: memory zeroed, all invocations at their start. */
void workgroup_start(struct workgroup *workgroup, uint64_t id);

/* 32 lanes, of a subgroup that has no more. */
static inline bool lanes_are_block(struct lanes lanes) {
    return lanes.bits[0] == UINT32_MAX && !lanes.bits[1];
}

/* Runs some of the ready lanes of a subgroup in ascending order, each to its next suspension, and
 * sorts them by why they stopped. */
void workgroup_step(struct workgroup *workgroup, struct subgroup *subgroup, struct lanes lanes,
                    struct lane_log *log);

/* The lane at place `lane` of a block; 32 is the scheduler's. */
static inline struct wg_lane *block_lane(struct wg_lane *block, uint32_t lane) {
    return (struct wg_lane *)(void *)(&block->sp + lane);
}

/* The two halves of it: running, and looking at what the lanes did. Between them other subgroups
 * may run that write to another log. */
void workgroup_run_lanes(struct workgroup *workgroup, struct subgroup *subgroup, struct lanes lanes,
                         struct lane_log *log);
static inline void workgroup_run(struct workgroup *workgroup, struct subgroup *subgroup,
                                 struct lanes lanes, struct lane_log *log) {
    if (subgroup->log != log || !lanes_are_block(lanes)) {
        workgroup_run_lanes(workgroup, subgroup, lanes, log);
        return;
    }
    workgroup->ctx.log_end = log->words + (size_t)log->row_limit * WG_LOG_ROW;
    coro_run(&workgroup->ctx, subgroup->blocks, block_lane(subgroup->blocks, WG_LOG_ROW));
}
void workgroup_look(struct workgroup *workgroup, struct subgroup *subgroup, struct lanes lanes,
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

static inline struct wg_lane *subgroup_lane(const struct subgroup *s, uint32_t lane) {
    return block_lane(&s->blocks[lane / WG_LOG_ROW], lane % WG_LOG_ROW);
}
/* By local_invocation_index. */
static inline struct wg_lane *workgroup_lane(const struct workgroup *w, uint32_t index) {
    return subgroup_lane(&w->subgroups[index / w->launch->subgroup_size],
                         index % w->launch->subgroup_size);
}

/* Where a lane is suspended: a site's id, WG_AT_START or WG_AT_END; why: enum wg_event; at a mark
 * of which kind (enum wg_mark); and the flow that it hands over. */
static inline uint32_t stop_site(wg_stop stop) {
    return stop & ((1u << WG_STOP_EVENT_SHIFT) - 1);
}
static inline uint32_t stop_event(wg_stop stop) {
    return stop >> WG_STOP_EVENT_SHIFT & 15;
}
static inline uint32_t stop_mark(wg_stop stop) {
    return stop >> WG_STOP_MARK_SHIFT & 255;
}
static inline uint32_t stop_flow(wg_stop stop) {
    return stop >> WG_STOP_FLOW_SHIFT & 7;
}
/* The same for lanes at one place, but for flow that one keeps and the other does not. */
static inline wg_stop stop_place(wg_stop stop) {
    return stop & ~(UINT64_C(7) << WG_STOP_FLOW_SHIFT);
}
static inline wg_stop subgroup_stop(const struct subgroup *s, uint32_t lane) {
    return subgroup_lane(s, lane)->stop;
}

/* Whether the step in which all of a subgroup's 32 lanes ran did nothing but bring them to one
 * barrier, handing over the same flow, or to their end. */
static inline bool workgroup_did_nothing(const struct subgroup *s, const struct lane_log *log) {
    const struct wg_lane *block = s->blocks;
    uint32_t event = stop_event(block->stop), turned;

    return block->end == log->words && (event == WG_EVENT_BARRIER || event == WG_EVENT_END) &&
           log->matching->ends(&block->stop, &block->end, &turned) == (MATCH_ALIKE | MATCH_EVEN) &&
           (turned == 0 || turned == UINT32_MAX);
}
/* Such lanes wait now, or live no more. */
static inline void workgroup_settle_block(struct workgroup *workgroup, struct subgroup *s) {
    if (stop_event(s->blocks->stop) == WG_EVENT_BARRIER) {
        s->at_barrier = s->ready;
        workgroup->waiting += WG_LOG_ROW;
    } else {
        s->live = (struct lanes){{0, 0}};
        workgroup->live -= WG_LOG_ROW;
    }
    s->ready = (struct lanes){{0, 0}};
}

/* Whether some invocation overran its stack: nothing can be trusted then. */
bool workgroup_overflown(const struct workgroup *workgroup);

#endif
