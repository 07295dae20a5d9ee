/* Admission: which workgroup comes next, to which unit, and how it starts there. */
#include "sim/dispatch/parts.h"
#include "sim/error.h"
#include "sim/livelock.h"
#include "sim/lockstep.h"
#include "sim/watch.h"
#include "sim/weak.h"

/* Whether unit `cu` has room for one more: all workgroups of a dispatch need the same. */
static bool has_room(const struct dispatch *d, uint32_t cu) {
    return d->units[cu].budget.residents < d->occupancy[cu].workgroups &&
           d->units[cu].budget.residents < d->units[cu].slot_count;
}

uint64_t dispatch_first_pending(const struct dispatch *d) {
    uint64_t first = d->options->placement == PLACE_STATIC ? d->queue.total : d->queue.next;

    for (uint32_t cu = 0; d->options->placement == PLACE_STATIC && cu < d->device->cus; cu++)
        if (d->units[cu].next_static < first)
            first = d->units[cu].next_static;
    return first;
}

static uint32_t fewest_residents(const struct dispatch *d) {
    uint32_t best = UINT32_MAX;

    for (uint32_t cu = 0; cu < d->device->cus; cu++)
        if (has_room(d, cu) &&
            (best == UINT32_MAX || d->units[cu].budget.residents < d->units[best].budget.residents))
            best = cu;
    return best;
}

static uint32_t first_with_room(const struct dispatch *d, uint32_t from) {
    for (uint32_t i = 0; i < d->device->cus; i++)
        if (has_room(d, (from + i) % d->device->cus))
            return (from + i) % d->device->cus;
    return UINT32_MAX;
}

/* The next workgroup to admit and where, or false while nothing fits. With `static`, each unit has
 * a queue of its own: every cus-th position of the order. */
static bool next_admission(struct dispatch *d, uint64_t *id, uint32_t *cu) {
    if (d->draining || (d->options->resident && d->resident >= d->options->resident))
        return false;
    if (d->options->placement == PLACE_STATIC) {
        for (*cu = 0; *cu < d->device->cus; ++*cu) {
            struct unit *unit = &d->units[*cu];
            if (unit->next_static < d->queue.total && has_room(d, *cu)) {
                *id = queue_at(&d->queue, unit->next_static);
                unit->next_static += d->device->cus;
                return true;
            }
        }
        return false;
    }
    if (d->queue.next == d->queue.total)
        return false;
    if (d->options->placement == PLACE_FEWEST)
        *cu = fewest_residents(d);
    else
        *cu = first_with_room(d, d->options->placement == PLACE_FILL ? 0 : d->next_unit);
    if (*cu == UINT32_MAX)
        return false;
    d->next_unit = (*cu + 1) % d->device->cus;
    *id = queue_at(&d->queue, d->queue.next++);
    return true;
}

static struct workgroup *take_workgroup(struct dispatch *d) {
    struct workgroup *w = d->free;

    if (w) {
        d->free = w->next_free;
        return w;
    }
    w = workgroup_new(&d->launch, !d->ahead, d->err);
    if (w && !(w->schedule = schedule_new(d->launch.subgroups))) {
        error_format(d->err, "out of memory");
        workgroup_free(w);
        return NULL;
    }
    return w;
}

static uint32_t free_slot(const struct dispatch *d, uint32_t cu) {
    uint32_t slot = 0;

    while (d->units[cu].slots[slot])
        slot++;
    return slot;
}

int dispatch_push(struct dispatch *d, struct workgroup *w, uint32_t subgroup, uint64_t cycle) {
    struct event event = {cycle, event_place(w->cu, w->slot, subgroup), w, false};

    if (events_push(&d->events, event) < 0)
        return error_set(d->err, "out of memory");
    if (subgroup == EVENT_END) {
        d->ending++;
    } else {
        d->stepping++;
        w->schedule->running++;
    }
    return 0;
}

int dispatch_push_starting(struct dispatch *d, struct workgroup *w, uint64_t cycle) {
    struct schedule *schedule = w->schedule;
    struct event event = {cycle, event_place(w->cu, w->slot, schedule->starting_first), w, true};

    d->stepping += schedule->starting_count;
    schedule->running += schedule->starting_count;
    return events_push(&d->events, event) < 0 ? error_set(d->err, "out of memory") : 0;
}

static int start(struct dispatch *d, struct workgroup *w, uint64_t id) {
    workgroup_start(w, id);
    judge_start(&d->judge, w);
    for (uint32_t i = 0; d->options->lockstep && i < d->launch.subgroups; i++)
        if (lockstep_start(&w->subgroups[i]) < 0)
            return error_set(d->err, "out of memory");
    if (d->weak && weak_start(d->weak, w) < 0)
        return error_set(d->err, "not enough memory for --memory=weak: each resident workgroup has "
                                 "copies of the buffers that are written");
    return 0;
}

void dispatch_residents_changed(struct dispatch *d) {
    watch_change(d->watch);
    livelock_restart(d->livelock, d->steps);
}

/* Takes what another thread has done. */
static int take_ahead(struct dispatch *d, struct workgroup *resident,
                      struct runner_account *account) {
    const struct ahead_work *work = ahead_take(d->threads, d->queue.next - 1, resident);

    d->is_void = !work;
    if (!work)
        return 0;
    if (!d->even)
        schedule_take(resident->schedule, work->schedule, d->launch.subgroups);
    d->steps += work->steps;
    d->barriers += work->barriers;
    *account = work->account;
    return 0;
}

/* Runs a workgroup to its end, on the runner. The charge goes to the schedule of the resident. */
static int run_ahead(struct dispatch *d, struct workgroup *resident,
                     struct runner_account *account) {
    struct workgroup *w = d->runner.workgroup;

    if (d->threads)
        return take_ahead(d, resident, account);
    w->cu = resident->cu;
    w->slot = resident->slot;
    int result = runner_run(&d->runner, resident->id, resident->schedule, d->err);
    d->is_void = d->runner.guard.conflict;
    *account = d->runner.account;
    return result;
}

/* Its subgroups begin. -1: the run cannot be made. */
static int begin(struct dispatch *d, struct workgroup *w, uint64_t cycle) {
    struct runner_account account = {0};
    bool even = d->ahead && d->even;

    if (even)
        w->schedule->start = cycle;
    else
        schedule_start(w->schedule, d->launch.subgroups, cycle);
    dispatch_tell_of(d, RECORD_ADMIT, cycle, w, NULL, NULL);
    if (d->ahead && run_ahead(d, w, &account) < 0)
        return -1;
    if (even) { /* nothing is left but its end */
        timing_wait_at_barriers(d->timing, account.waited);
        return dispatch_push(d, w, EVENT_END, cycle + account.cycles);
    }
    schedule_all_start(w->schedule, d->launch.subgroups);
    return dispatch_push_starting(d, w, cycle);
}

/* Gives workgroup `id` a slot of a unit, and starts it. */
static int place(struct dispatch *d, uint64_t id, uint32_t cu, uint64_t cycle) {
    struct workgroup *w = take_workgroup(d);

    if (!w)
        return -1;
    d->held++;
    cu_budget_take(&d->units[cu].budget, &d->occupancy[cu]);
    w->user = d;
    w->cu = cu;
    w->slot = free_slot(d, cu);
    d->units[cu].slots[w->slot] = w;
    if (d->ahead)
        workgroup_name(w, id);
    else if (start(d, w, id) < 0)
        return -1;
    dispatch_residents_changed(d);
    uint64_t first = timing_launch(d->timing, cu, cycle);
    if (d->options->pace == PACE_RANDOM)
        first = dispatch_end_of_step(d);
    return begin(d, w, first);
}

int dispatch_admit(struct dispatch *d, uint64_t cycle) {
    uint64_t id;
    uint32_t cu;

    while (d->returning.count && (cu = fewest_residents(d)) != UINT32_MAX)
        if (place(d, d->returning.ids[--d->returning.count], cu, cycle) < 0)
            return -1;
    while (next_admission(d, &id, &cu)) {
        d->admitted++;
        d->batch++;
        if (++d->resident > d->peak_resident)
            d->peak_resident = d->resident;
        if (place(d, id, cu, cycle) < 0)
            return -1;
    }
    return 0;
}

void dispatch_leave_slot(struct dispatch *d, struct workgroup *w) {
    cu_budget_give(&d->units[w->cu].budget, &d->occupancy[w->cu]);
    d->units[w->cu].slots[w->slot] = NULL;
    d->held--;
    w->next_free = d->free;
    d->free = w;
}
