/* Turns what a run does, as it happens, into events of its trace: slices of workgroups in their
 * slots and of their waits, and how many are resident and queued. */
#ifndef SIM_TRACE_RECORDER_H
#define SIM_TRACE_RECORDER_H

#include "sim/record.h"
#include "sim/trace/events.h"

/* Steps of one subgroup of a workgroup, one after the other, that changed nothing and ended before
 * an atomic. */
struct recorder_spin {
    uint32_t turns; /* 0: it does not spin */
    uint32_t subgroup;
    uint64_t start;
    const struct wg_site *site;
};

/* A slot, with the workgroup that is in it. Cycles are those of the run, not of the dispatch. */
struct recorder_slot {
    bool taken, waits;
    uint64_t start; /* of the workgroup */
    uint64_t wait;  /* since when some of its subgroups wait at a barrier */
    uint64_t since; /* since when it has neither started nor passed a barrier */
    struct recorder_spin spin;
};

struct recorder_counter {
    const char *name;
    uint64_t shown;
};

/* Invariant: slots[cu * stride + slot]; used[cu] slots of unit cu had a workgroup at some time. */
struct recorder {
    struct trace_file *file;
    bool steps;         /* a slice for every step */
    uint32_t subgroups; /* of a workgroup, at most, that there are steps of */
    bool in_dispatch;
    uint64_t base; /* cycle at which the dispatch under way began */
    uint64_t end;  /* of the run so far */
    uint64_t dispatches;
    /* Before the dispatch under way. */
    struct trace_mark mark;
    uint64_t end_before, residents_before, queued_before;
    uint32_t cus, stride;
    struct recorder_slot *slots;
    uint32_t *used;
    uint64_t executed; /* steps of the dispatch at the last record of one */
    struct recorder_counter residents, queued;
    uint64_t quiet, patience; /* changes since counters were written; that are left out */
    uint64_t *ends;           /* by dispatch: when it was over */
    size_t end_capacity;
    bool failed; /* out of memory */
};

void recorder_init(struct recorder *recorder, struct trace_file *file, bool steps);
void recorder_release(struct recorder *recorder);
void recorder_hear(struct recorder *recorder, const struct record *record);

static inline const struct recorder_slot *recorder_slot(const struct recorder *recorder,
                                                        uint32_t cu, uint32_t slot) {
    return &recorder->slots[(size_t)cu * recorder->stride + slot];
}

/* Since when a workgroup that never ended has done nothing but wait, as far as is known. */
uint64_t recorder_waits_since(const struct recorder_slot *slot);

/* Names the processes and threads that there are events of. */
void recorder_names(const struct recorder *recorder);

#endif
