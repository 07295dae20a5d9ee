/* Running one dispatch: in which ways that is tried, and how it ends. The loop is in loop.c. */
#include "sim/dispatch/dispatch.h"

#include <string.h>

#include "sim/dispatch/parts.h"
#include "sim/weak.h"

const char *const verdict_names[] = {"finished",  "deadlock", "livelock", "divergence",
                                     "suspected", "rejected", "trapped",  NULL};

const char *const refill_names[] = {"eager", "lazy", NULL};
const char *const pace_names[] = {"modelled", "even", "random", NULL};
const char *const placement_names[] = {"fewest", "fill", "round-robin", "static", NULL};

/* A run with a lower limit is made in steps, for it is to end close to that. */
enum { AHEAD_LEAST_STEPS = 1 << 20 };

/* Where nothing in the kernel tells in which order workgroups run, they may be run ahead; the guard
 * finds what the kernel's text does not show. */
static bool may_run_ahead(const struct dispatch *d) {
    const struct run_options *options = d->options;

    return !d->launch.kernel->order_matters && !options->stress_yield && !options->lockstep &&
           !options->weak_memory && !options->park && !options->turns &&
           (!options->max_steps || options->max_steps >= AHEAD_LEAST_STEPS) &&
           dispatch_total(d) < GUARD_SEVERAL - 1;
}

static void tell_report(void *self, struct record *record) {
    dispatch_tell_now(self, record);
}

static bool may_all_be_told_later(const struct dispatch *d) {
    for (size_t i = 0; i < d->judge.observer_count; i++)
        if (!d->rows[i].later)
            return false;
    return true;
}

/* Whether workgroups may run on several threads: the order of admission must not depend on when
 * there is room. */
static bool may_run_together(const struct dispatch *d) {
    return d->options->threads > 1 && may_all_be_told_later(d) &&
           d->options->placement != PLACE_STATIC && ahead_possible(d->launch.kernel);
}

/* Most workgroups that are resident at once. */
static uint64_t most_residents(const struct dispatch *d) {
    uint64_t most = 0;

    for (uint32_t cu = 0; cu < d->device->cus; cu++)
        most += d->units[cu].slot_count;
    if (d->options->resident && d->options->resident < most)
        most = d->options->resident;
    return most < dispatch_total(d) ? most : dispatch_total(d);
}

static void start_threads(struct dispatch *d) {
    struct ahead_spec spec = {.launch = &d->launch,
                              .device = d->device,
                              .queue = &d->queue,
                              .judge = &d->judge,
                              .threads = d->options->threads,
                              .max_steps = d->options->max_steps,
                              .residents = most_residents(d),
                              .even = d->even,
                              .report = tell_report,
                              .self = d};

    d->threads = may_run_together(d) ? ahead_new(&spec) : NULL;
    d->ahead = d->threads != NULL;
}

static int start_runner(struct dispatch *d) {
    if (runner_init(&d->runner, &d->launch, d->err) < 0)
        return -1;
    d->runner.judge = &d->judge;
    d->runner.logs = d->logs;
    d->runner.at_once = !may_all_be_told_later(d);
    d->runner.even = d->even;
    d->runner.apart = dispatch_tell_apart;
    d->runner.self = d;
    d->runner.steps = &d->steps;
    d->runner.barriers = &d->barriers;
    d->runner.workgroup->user = d;
    d->ahead = d->judge.ignore_changes = true;
    d->rows[d->judge.observer_count++] = runner_guard(&d->runner);
    return 0;
}

static void empty_units(struct dispatch *d) {
    dispatch_drop_all(d);
    for (uint32_t cu = 0; cu < d->device->cus; cu++) {
        memset(&d->units[cu].budget, 0, sizeof d->units[cu].budget);
        d->units[cu].next_static = cu;
    }
}

/* All that was done ahead is void. */
static void begin_again(struct dispatch *d) {
    empty_units(d);
    saved_restore(d->before);
    d->ahead = d->is_void = d->judge.ignore_changes = d->diverged = d->trapped = false;
    d->verdict = VERDICT_FINISHED;
    d->queue.next = d->admitted = d->finished = d->steps = d->barriers = 0;
    d->next_unit = d->resident = d->peak_resident = d->stepping = d->ending = 0;
    d->held = 0;
    events_settle(&d->events);
    d->events.count = 0;
    judge_reset(&d->judge);
    d->draining = false;
    d->draws = d->batch = d->cycle = 0;
    dispatch_init_timing(d);
}

static void close_residents(struct dispatch *d) {
    for (uint32_t cu = 0; cu < d->device->cus; cu++)
        for (uint32_t slot = 0; slot < d->units[cu].slot_count; slot++)
            if (d->units[cu].slots[slot])
                judge_close(&d->judge, d->units[cu].slots[slot]);
}

static void conclude(struct dispatch *d) {
    if (d->weak)
        weak_publish(d->weak);
    if (d->verdict == VERDICT_FINISHED && d->finished < d->queue.total && !d->trapped)
        d->verdict = VERDICT_SUSPECTED;
    if (d->verdict == VERDICT_FINISHED && d->diverged)
        d->verdict = VERDICT_DIVERGENCE;
    if (d->verdict == VERDICT_FINISHED && d->trapped)
        d->verdict = VERDICT_TRAPPED;
    if (d->finished == d->queue.total)
        d->cycle = timing_complete(d->timing, d->cycle);
    struct record record = {.type = RECORD_VERDICT,
                            .kind = d->verdict,
                            .cycle = d->cycle,
                            .until = d->cycle,
                            .dispatch = d};
    dispatch_tell(d, &record);
    close_residents(d);
    judge_finish(&d->judge);
    dispatch_tell_of(d, RECORD_DISPATCH_END, d->cycle, NULL, NULL, NULL);
}

static void ask_listeners(struct dispatch *d) {
    for (size_t i = 0; i < d->listener_count; i++) {
        d->heard |= d->listeners[i].sparse ? ~RECORDS_FREQUENT : UINT32_MAX;
        d->steps_heard |= d->listeners[i].steps_ahead;
    }
    d->even = d->options->pace == PACE_EVEN && !d->options->late && !d->options->turns &&
              !(d->heard & RECORDS_BETWEEN);
}

/* Workgroups run ahead on several threads, or one after the other, or all in steps. What was done
 * in one way may be void: *how says in which it is to be done again. */

static void run_by_threads(struct dispatch *d, enum ahead_end *how) {
    start_threads(d);
    if (!d->threads)
        return;
    bool failed = dispatch_run_events(d) < 0; /* one thread may do with less memory */
    *how = ahead_finish(d->threads, &d->judge);
    /* it ended early, and more was done than was admitted */
    bool early = d->queue.next < d->queue.total && !dispatch_is_stopped(d);
    if (failed || (*how == AHEAD_GOOD && early))
        *how = AHEAD_VOID;
    if (*how == AHEAD_GOOD)
        return;
    ahead_free(d->threads);
    d->threads = NULL;
    begin_again(d);
}

static int run_by_runner(struct dispatch *d, enum ahead_end *how) {
    if (start_runner(d) < 0 || dispatch_run_events(d) < 0)
        return -1;
    *how = d->is_void ? AHEAD_CONFLICT : AHEAD_GOOD;
    if (*how == AHEAD_GOOD)
        return runner_check_stacks(d->runner.workgroup, d->err);
    runner_release(&d->runner);
    d->judge.observer_count--;
    begin_again(d);
    return 0;
}

static bool residents_overflown(const struct dispatch *d) {
    for (uint32_t cu = 0; cu < d->device->cus; cu++)
        for (uint32_t slot = 0; slot < d->units[cu].slot_count; slot++)
            if (d->units[cu].slots[slot] && workgroup_overflown(d->units[cu].slots[slot]))
                return true;
    return false;
}

int dispatch_run(struct dispatch *d, struct wgsim_error *err) {
    enum ahead_end how = may_run_ahead(d) ? AHEAD_VOID : AHEAD_CONFLICT;

    d->err = err;
    ask_listeners(d);
    if (how == AHEAD_VOID)
        run_by_threads(d, &how);
    if ((how == AHEAD_VOID && run_by_runner(d, &how) < 0) ||
        (how == AHEAD_CONFLICT && dispatch_run_events(d) < 0))
        return -1;
    if (residents_overflown(d))
        return runner_tell_overrun(&d->launch, err);
    conclude(d);
    return 0;
}

bool dispatch_overflown(const struct dispatch *d) {
    return (d->runner.workgroup && workgroup_overflown(d->runner.workgroup)) ||
           (d->threads && ahead_overflown(d->threads)) || residents_overflown(d);
}

void dispatch_observe_rows(struct dispatch *d, const struct row_observer *observer) {
    if (d->judge.observer_count < DISPATCH_ROW_OBSERVERS - 1)
        d->rows[d->judge.observer_count++] = *observer;
}
