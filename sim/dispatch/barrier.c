/* What becomes of a workgroup none of whose subgroups can run: its barrier opens, or it ends. */
#include "sim/dispatch/parts.h"
#include "sim/error.h"
#include "sim/stand.h"
#include "sim/watch.h"
#include "sim/weak.h"

void dispatch_tell_apart(void *self, const struct workgroup *w, const struct wg_site *site,
                         bool different_calls) {
    struct dispatch *d = self;

    d->diverged |= different_calls;
    dispatch_tell_of(d, RECORD_DIVERGENCE, d->cycle, w, NULL, site);
}

/* Lets the invocations of a workgroup past their barrier. */
static void release(struct dispatch *d, struct workgroup *w) {
    const struct wg_site *site;
    bool different_calls;

    if (stands_apart(w, &different_calls, &site))
        dispatch_tell_apart(d, w, site, different_calls);
    judge_barrier(&d->judge, w, site);
    workgroup_release(w);
    watch_release(d->watch, w, d->resident);
    d->barriers++;
}

/* All subgroups of the workgroup that have not returned have arrived at its barrier. */
static int open_barrier(struct dispatch *d, struct workgroup *w) {
    struct record record = {.type = RECORD_BARRIER_OPEN, .dispatch = d, .workgroup = w};
    bool heard = dispatch_is_heard(d, RECORD_BARRIER_OPEN);

    if (!d->ahead)
        release(d, w);
    if (heard) {
        struct arrivals arrivals = schedule_arrivals(w->schedule, d->launch.subgroups);
        record.since = arrivals.first;
        record.arrivals = arrivals.hash;
    }
    record.cycle = record.until = schedule_open(w->schedule, d->launch.subgroups, d->timing);
    d->told = true;
    if (heard)
        dispatch_tell(d, &record);
    return dispatch_push_starting(d, w, record.cycle);
}

/* Where residents are parked, those that would fit have not all been admitted at first. */
static void note_place_freed(struct dispatch *d) {
    const struct run_options *options = d->options;

    if (d->resident == 0)
        d->batch = 0;
    d->draining = options->refill == REFILL_LAZY && d->resident > 0 &&
                  (!options->park || d->batch >= options->resident);
}

int dispatch_end_workgroup(struct dispatch *d, struct workgroup *w, uint64_t cycle) {
    if (!d->ahead && runner_check_stacks(w, d->err) < 0)
        return -1;
    if (d->weak && weak_end(d->weak, w) < 0)
        return error_set(d->err, "out of memory");
    timing_finish(d->timing, w->cu, d->launch.subgroups, w->schedule->start, cycle);
    dispatch_tell_of(d, RECORD_FINISH, cycle, w, NULL, NULL);
    dispatch_leave_slot(d, w);
    d->resident--;
    d->finished++;
    note_place_freed(d);
    dispatch_residents_changed(d);
    return dispatch_admit(d, cycle);
}

int dispatch_settle_workgroup(struct dispatch *d, struct workgroup *w) {
    uint64_t end = 0;

    for (uint32_t i = 0; i < d->launch.subgroups; i++) {
        const struct subgroup_schedule *s = &w->schedule->subgroups[i];
        if (s->at_barrier)
            return open_barrier(d, w);
        if (timing_cycle(&s->clock) > end)
            end = timing_cycle(&s->clock);
    }
    return dispatch_push(d, w, EVENT_END, end);
}
