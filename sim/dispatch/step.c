/* One step of a subgroup: its lanes run, and what they did is judged. */
#include "sim/dispatch/parts.h"
#include "sim/error.h"
#include "sim/lockstep.h"
#include "sim/watch.h"
#include "sim/weak.h"

/* What a step did. */
struct deeds {
    struct lanes ran;
    bool changed, changed_storage, collected;
};

/* Runs lanes of a subgroup to their next suspensions, judges what they did, and leaves the charge
 * for it in its schedule. */
static int run_lanes(struct dispatch *d, struct workgroup *w, struct subgroup *s,
                     struct lanes lanes) {
    workgroup_step(w, s, lanes, &d->logs[0]);
    if (d->options->turns) /* only results matter, and lanes that part so far are slow to judge */
        return 0;
    judge_step(&d->judge, w, s, &d->logs[0], lanes, &w->schedule->subgroups[s->index].requests);
    return d->judge.failed ? error_set(d->err, "out of memory") : 0;
}

/* Performs the subgroup operation that lanes wait for. One without all that live tells of the
 * schedule, not of the kernel: nothing is proved by what came before. */
static void collect(struct dispatch *d, struct workgroup *w, struct subgroup *s,
                    struct deeds *deeds) {
    if (!lanes_equal(s->collective, s->live))
        watch_change(d->watch);
    deeds->collected = true;
    workgroup_collect(w, s);
}

static void note_deeds(const struct dispatch *d, struct lanes ran, struct deeds *deeds) {
    deeds->ran = lanes_or(deeds->ran, ran);
    deeds->changed |= d->judge.changed;
    deeds->changed_storage |= d->judge.changed_storage;
}

/* A loop without an atomic gives up control after so many meetings of its lanes. */
enum { LOCKSTEP_MEETINGS = 1024 };

/* A step in lockstep: from meeting to meeting, up to an atomic, or until all wait or have returned.
 */
static int run_in_lockstep(struct dispatch *d, struct workgroup *w, struct subgroup *s,
                           struct deeds *deeds) {
    bool failed = false;

    for (int i = 0; i < LOCKSTEP_MEETINGS; i++) {
        struct lanes lanes = lockstep_next(s, &failed);
        if (failed)
            return error_set(d->err, "out of memory");
        if (lanes_empty(lanes))
            return 0;
        if (run_lanes(d, w, s, lanes) < 0)
            return -1;
        note_deeds(d, lanes, deeds);
        if (!lanes_empty(s->collective))
            collect(d, w, s, deeds);
        if (stop_event(subgroup_stop(s, lanes_lowest(lanes))) == WG_EVENT_ATOMIC)
            return 0;
    }
    return 0;
}

/* Nobody can go on by what is visible: whatever was not yet becomes so. */
static bool become_visible(struct dispatch *d) {
    if (!d->weak || !weak_publish(d->weak))
        return false;
    watch_change(d->watch);
    return true;
}

/* Whether a step without a change was the last that a proof needed. */
static bool ends_proof(struct dispatch *d, struct workgroup *w, struct subgroup *s,
                       const struct deeds *deeds) {
    struct watch_step step = {w, s, deeds->ran, deeds->collected, d->stepping + 1};

    return watch_quiet_step(d->watch, &step) && d->ending == 0 && !become_visible(d);
}

int dispatch_execute(struct dispatch *d, struct workgroup *w, struct subgroup *s,
                     struct lanes lanes) {
    struct deeds deeds = {0};
    uint32_t live = w->live;

    if (d->options->lockstep ? run_in_lockstep(d, w, s, &deeds) < 0 : run_lanes(d, w, s, lanes) < 0)
        return -1;
    if (!d->options->lockstep)
        note_deeds(d, lanes, &deeds);
    d->steps++;
    if (lanes_empty(s->ready) && !lanes_empty(s->collective))
        collect(d, w, s, &deeds);
    enum step_end how = schedule_how(s);
    w->stored |= deeds.changed_storage;
    deeds.changed |= d->weak && weak_step(d->weak, w);
    if (deeds.changed || w->live != live) {
        watch_change(d->watch);
    } else if (!d->options->turns && ends_proof(d, w, s, &deeds)) {
        d->verdict = VERDICT_DEADLOCK;
        d->period_steps = watch_period(d->watch);
    }
    if (deeds.changed_storage && d->parked.count && dispatch_unpark(d) < 0)
        return -1;
    if (schedule_end_step(&w->schedule->subgroups[s->index], how) < 0)
        return error_set(d->err, "out of memory");
    return 0;
}
