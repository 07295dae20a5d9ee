/* What the subgroups of a resident workgroup have done and not yet been charged for: execution runs
 * ahead of time, by a step at least, by the whole workgroup where nothing that others do could
 * change it. */
#ifndef SIM_SCHEDULE_H
#define SIM_SCHEDULE_H

#include "sim/judge/judge.h"
#include "sim/order_turns.h"
#include "sim/timing.h"

enum step_end {
    STEP_GOES_ON, /* it can run again at once */
    STEP_BARRIER, /* it waits for the workgroup */
    STEP_RETURNED /* all its lanes have returned */
};

/* What a subgroup that has made a step does next. */
static inline enum step_end schedule_how(const struct subgroup *s) {
    if (!lanes_empty(s->ready))
        return STEP_GOES_ON;
    return lanes_empty(s->at_barrier) ? STEP_RETURNED : STEP_BARRIER;
}

struct charged_step {
    uint32_t end : 30; /* of its requests, in requests[] */
    uint32_t how : 2;  /* enum step_end */
};

/* One subgroup. Invariant: played <= steps[current].end. */
struct subgroup_schedule {
    struct timing_clock clock;
    struct requests requests; /* of all steps that are left */
    size_t played;
    struct charged_step *steps;
    size_t step_count, step_capacity, current;
    bool at_barrier;
    struct order_turn turn; /* run_options.turns */
};

struct schedule {
    uint64_t start;   /* cycle at which the workgroup started */
    uint32_t running; /* subgroups that have an event */
    /* By subgroup: scratch for opening barriers; those that one event starts together. */
    struct timing_clock **clocks;
    bool *starting;
    uint32_t starting_count, starting_first;
    struct subgroup_schedule subgroups[];
};

struct schedule *schedule_new(uint32_t subgroups);
void schedule_free(struct schedule *schedule, uint32_t subgroups);
void schedule_start(struct schedule *schedule, uint32_t subgroups, uint64_t cycle);

/* Moves all steps of another schedule to one that has none. */
void schedule_take(struct schedule *schedule, struct schedule *from, uint32_t subgroups);

/* The step ends whose requests were appended. -1: out of memory. */
int schedule_end_step(struct subgroup_schedule *subgroup, enum step_end how);
/* Whether there is a step to charge. */
static inline bool schedule_has_step(const struct subgroup_schedule *subgroup) {
    return subgroup->current < subgroup->step_count;
}
/* Charges the current step as far as time allows. True: it is done, *how says what comes next. */
bool schedule_play(struct subgroup_schedule *subgroup, struct timing *timing, uint32_t cu,
                   enum step_end *how);
/* Charges the current step if that takes no time, as where a subgroup only comes to a barrier. */
static inline bool schedule_pass(struct subgroup_schedule *subgroup) {
    const struct charged_step *step = &subgroup->steps[subgroup->current];

    if (subgroup->current + 1 >= subgroup->step_count || step->how != STEP_BARRIER ||
        subgroup->played != step->end || !timing_is_drained(&subgroup->clock))
        return false;
    subgroup->clock.oldest = 0;
    subgroup->current++;
    return subgroup->at_barrier = true;
}
/* Charges the current step by the end that it has. Returns what comes next. */
enum step_end schedule_skip(struct subgroup_schedule *subgroup, uint64_t end);
/* When subgroups arrived at the barrier that they wait at, before it opens. */
struct arrivals {
    uint64_t first;
    uint64_t hash; /* of who did when */
};
struct arrivals schedule_arrivals(const struct schedule *schedule, uint32_t subgroups);
/* All subgroups start together. */
void schedule_all_start(struct schedule *schedule, uint32_t subgroups);
/* The barrier opens for all subgroups that wait at it, which start together; returns the cycle at
 * which they do. */
uint64_t schedule_open(struct schedule *schedule, uint32_t subgroups, struct timing *timing);

#endif
