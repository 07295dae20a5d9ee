/* The loop over events. */
#include "sim/dispatch/parts.h"
#include "sim/error.h"
#include "sim/livelock.h"
#include "sim/watch.h"

static void tell_step(struct dispatch *d, const struct workgroup *w, const struct subgroup *s,
                      uint64_t until) {
    d->told |= !d->ahead;
    if (!dispatch_is_heard(d, RECORD_STEP) || (d->ahead && !d->steps_heard))
        return;
    struct record record = {.type = RECORD_STEP,
                            .cycle = d->cycle,
                            .until = until,
                            .dispatch = d,
                            .workgroup = w,
                            .subgroup = s};

    dispatch_tell(d, &record);
}

/* The event of a subgroup: charges what it has done, or runs it first. */
static int advance(struct dispatch *d, struct workgroup *w, struct subgroup *s) {
    struct subgroup_schedule *schedule = &w->schedule->subgroups[s->index];
    struct lanes lanes = s->ready;
    enum step_end how;

    d->told = false;
    d->stepping--;
    w->schedule->running--;
    if (d->options->turns) {
        lanes = order_turns_next(d->options->turns, &schedule->turn, w, s, d->cycle);
        if (lanes_empty(lanes))
            return dispatch_push(d, w, s->index, schedule->turn.due);
    }
    if (!schedule_has_step(schedule) && dispatch_execute(d, w, s, lanes) < 0)
        return -1;
    if (d->options->turns)
        order_turns_stepped(&schedule->turn, s);
    bool done = true;
    if (d->options->pace == PACE_MODELLED)
        done = schedule_play(schedule, d->timing, w->cu, &how);
    else
        how = schedule_skip(schedule, dispatch_next_step(d, s));
    uint64_t cycle = timing_cycle(&schedule->clock);
    tell_step(d, w, s, cycle);
    if (!done || how == STEP_GOES_ON)
        return dispatch_push(d, w, s->index, cycle);
    if (how == STEP_BARRIER && !d->ahead) {
        watch_wait(d->watch, s);
        dispatch_tell_of(d, RECORD_BARRIER_WAIT, cycle, w, s, NULL);
    }
    return w->schedule->running == 0 ? dispatch_settle_workgroup(d, w) : 0;
}

bool dispatch_is_stopped(const struct dispatch *d) {
    return d->options->stop && *d->options->stop && d->told &&
           (!d->threads || d->is_void || ahead_is_level(d->threads, d->queue.next));
}

/* Nothing ran out and nothing was proved yet. */
static bool goes_on(const struct dispatch *d) {
    uint64_t max_steps = d->options->max_steps;

    return d->verdict == VERDICT_FINISHED && !d->trapped && !(max_steps && d->steps >= max_steps) &&
           !dispatch_is_stopped(d);
}

/* Advances a subgroup whose step, made ahead, takes no time and is not told of. */
static bool pass(struct dispatch *d, struct workgroup *w, uint32_t subgroup) {
    if (!d->ahead || d->steps_heard || d->options->pace != PACE_MODELLED ||
        !schedule_pass(&w->schedule->subgroups[subgroup]))
        return false;
    d->stepping--;
    w->schedule->running--;
    return true;
}

static int advance_starting(struct dispatch *d, struct workgroup *w) {
    struct schedule *schedule = w->schedule;
    bool *starting = schedule->starting;

    for (uint32_t i = schedule->starting_first; i < d->launch.subgroups && goes_on(d); i++) {
        if (!starting[i])
            continue;
        starting[i] = false;
        if (!pass(d, w, i)) {
            if (advance(d, w, &w->subgroups[i]) < 0)
                return -1;
        } else if (schedule->running == 0) {
            return dispatch_settle_workgroup(d, w);
        }
    }
    return 0;
}

static int handle(struct dispatch *d, const struct event *event) {
    struct workgroup *w = event->workgroup;

    d->cycle = event->cycle;
    d->told = false;
    if (event_subgroup(event) == EVENT_END) {
        d->ending--;
        return dispatch_end_workgroup(d, w, event->cycle);
    }
    if (event->together)
        return advance_starting(d, w);
    return advance(d, w, &w->subgroups[event_subgroup(event)]);
}

static int add_residents(struct dispatch *d) {
    for (uint32_t cu = 0; cu < d->device->cus; cu++)
        for (uint32_t slot = 0; slot < d->units[cu].slot_count; slot++)
            if (d->units[cu].slots[slot] && livelock_add(d->livelock, d->units[cu].slots[slot]) < 0)
                return error_set(d->err, "out of memory");
    return 0;
}

/* Whether the run goes round in a circle. What it does next must depend on nothing that is not
 * looked at. */
static int look_for_livelock(struct dispatch *d) {
    struct livelock_view view = {&d->launch, d->device, &d->events,
                                 d->timing,  d->steps,  watch_changes(d->watch)};

    if (d->ahead || d->options->weak_memory || d->options->park || d->options->turns ||
        d->options->pace == PACE_RANDOM)
        return 0;
    if (!livelock_knows_residents(d->livelock) && add_residents(d) < 0)
        return -1;
    events_settle(&d->events);
    if (d->verdict == VERDICT_FINISHED && livelock_look(d->livelock, &view)) {
        d->verdict = VERDICT_LIVELOCK;
        d->period_steps = livelock_period(d->livelock);
    }
    return 0;
}

int dispatch_run_events(struct dispatch *d) {
    struct event event;

    dispatch_tell_of(d, RECORD_DISPATCH_BEGIN, 0, NULL, NULL, NULL);
    if (dispatch_admit(d, timing_dispatch(d->timing, 0)) < 0)
        return -1;
    while (goes_on(d) && !d->is_void && events_pop(&d->events, &event)) {
        if (handle(d, &event) < 0 ||
            (livelock_due(d->livelock, d->steps) && look_for_livelock(d) < 0))
            return -1;
        if (d->options->park && d->verdict == VERDICT_DEADLOCK && dispatch_try_park(d) < 0)
            return -1;
    }
    return 0;
}
