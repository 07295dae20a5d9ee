/* Steps waiting to be charged. */
#include "sim/schedule.h"

#include <stdlib.h>

struct schedule *schedule_new(uint32_t subgroups) {
    struct schedule *schedule =
        calloc(1, sizeof *schedule + subgroups * sizeof schedule->subgroups[0]);

    if (!schedule)
        return NULL;
    schedule->clocks = calloc(subgroups, sizeof *schedule->clocks);
    schedule->starting = calloc(subgroups, sizeof *schedule->starting);
    if (schedule->clocks && schedule->starting)
        return schedule;
    schedule_free(schedule, subgroups);
    return NULL;
}

void schedule_free(struct schedule *schedule, uint32_t subgroups) {
    if (!schedule)
        return;
    for (uint32_t i = 0; i < subgroups; i++) {
        free(schedule->subgroups[i].requests.items);
        free(schedule->subgroups[i].steps);
    }
    free(schedule->clocks);
    free(schedule->starting);
    free(schedule);
}

void schedule_start(struct schedule *schedule, uint32_t subgroups, uint64_t cycle) {
    schedule->start = cycle;
    schedule->running = 0;
    for (uint32_t i = 0; i < subgroups; i++) {
        struct subgroup_schedule *s = &schedule->subgroups[i];
        s->clock = timing_clock_at(cycle);
        s->requests.count = s->played = s->step_count = s->current = 0;
        s->at_barrier = false;
        s->turn = (struct order_turn){0};
    }
}

void schedule_take(struct schedule *schedule, struct schedule *from, uint32_t subgroups) {
    for (uint32_t i = 0; i < subgroups; i++) {
        struct subgroup_schedule *to = &schedule->subgroups[i], empty = *to;
        *to = from->subgroups[i];
        to->clock = empty.clock;
        from->subgroups[i] = empty;
    }
}

/* A step without a request takes time all the same, or a subgroup could turn for ever before others
 * come. */
static __attribute__((noinline)) int charge_something(struct subgroup_schedule *s) {
    size_t begin = s->step_count ? s->steps[s->step_count - 1].end : 0;

    if (s->requests.count > begin)
        return 0;
    if (requests_reserve(&s->requests, 1) < 0)
        return -1;
    s->requests.items[s->requests.count++] =
        (struct timing_request){.kind = TIMING_OPERATIONS, .operations = 1};
    return 0;
}

static __attribute__((noinline)) int grow_steps(struct subgroup_schedule *s) {
    size_t capacity = s->step_capacity ? s->step_capacity * 2 : 8;
    struct charged_step *grown = realloc(s->steps, capacity * sizeof *grown);

    if (!grown)
        return -1;
    s->steps = grown;
    s->step_capacity = capacity;
    return 0;
}

int schedule_end_step(struct subgroup_schedule *s, enum step_end how) {
    if (how == STEP_GOES_ON && charge_something(s) < 0)
        return -1;
    if (s->step_count == s->step_capacity && grow_steps(s) < 0)
        return -1;
    s->steps[s->step_count++] =
        (struct charged_step){(uint32_t)s->requests.count & 0x3fffffff, (uint32_t)how & 3};
    return 0;
}

/* The current step is charged. */
static enum step_end finish_step(struct subgroup_schedule *s) {
    enum step_end how = s->steps[s->current].how;

    if (++s->current == s->step_count) /* nothing is left */
        s->requests.count = s->played = s->step_count = s->current = 0;
    s->at_barrier = how == STEP_BARRIER;
    return how;
}

bool schedule_play(struct subgroup_schedule *s, struct timing *timing, uint32_t cu,
                   enum step_end *how) {
    const struct charged_step *step = &s->steps[s->current];

    s->played +=
        timing_play(timing, cu, &s->clock, s->requests.items + s->played, step->end - s->played);
    if (s->played < step->end)
        return false;
    if (step->how != STEP_GOES_ON && !timing_drain(timing, &s->clock))
        return false;
    *how = finish_step(s);
    return true;
}

enum step_end schedule_skip(struct subgroup_schedule *s, uint64_t end) {
    s->played = s->steps[s->current].end;
    timing_move(&s->clock, end);
    return finish_step(s);
}

void schedule_all_start(struct schedule *schedule, uint32_t subgroups) {
    schedule->starting_first = 0;
    schedule->starting_count = subgroups;
    for (uint32_t i = 0; i < subgroups; i++)
        schedule->starting[i] = true;
}

/* The hash is a polynomial: a step for each subgroup, whether it waits or not, costs a
 * multiplication. */
struct arrivals schedule_arrivals(const struct schedule *schedule, uint32_t subgroups) {
    const struct timing_clock *first = NULL;
    uint64_t hash = 0;

    for (uint32_t i = 0; i < subgroups; i++) {
        const struct subgroup_schedule *s = &schedule->subgroups[i];
        hash *= UINT64_C(0x9e3779b97f4a7c15);
        if (!s->at_barrier)
            continue;
        hash += s->clock.now;
        if (!first || s->clock.now < first->now)
            first = &s->clock;
    }
    return (struct arrivals){first ? timing_cycle(first) : 0, hash};
}

uint64_t schedule_open(struct schedule *schedule, uint32_t subgroups, struct timing *timing) {
    uint32_t count = 0;

    for (uint32_t i = 0; i < subgroups; i++) {
        struct subgroup_schedule *s = &schedule->subgroups[i];
        schedule->starting[i] = s->at_barrier;
        if (!s->at_barrier)
            continue;
        if (count == 0)
            schedule->starting_first = i;
        schedule->clocks[count++] = &s->clock;
        s->at_barrier = false;
    }
    schedule->starting_count = count;
    timing_open(timing, schedule->clocks, count);
    return timing_cycle(schedule->clocks[0]);
}
