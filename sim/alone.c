/* Runs of some workgroups. */
#include "sim/alone.h"

#include <string.h>

#include "sim/word.h"

/* They are given so many times the steps that as many took on average, and some more: what takes
 * longer waits for others, and changes something meanwhile. */
enum { TIMES_AVERAGE = 4, STEPS_LEAST = 1 << 13 };

/* Where lanes take turns each may need a step of its own for what one was enough for. */
enum { TIMES_TURNS = 8 };

/* A loop is stepped through at most so often to see what it looks at. */
enum { TURNS_WATCHED = 64 };

/* ---- Running ---- */

/* What is not about who starts when stays as it was in the run that was made. */
static struct run_options options_of(const struct dispatch *d, const struct alone *alone) {
    struct run_options options = *d->options;

    options.order = ORDER_ASCENDING;
    options.placement = PLACE_FEWEST;
    options.pace = alone->pace;
    options.late = alone->late;
    options.turns = alone->turns;
    options.resident = alone->resident;
    options.weak_memory = false;
    options.lockstep &= !alone->independent;
    options.stress_yield &= !alone->unstressed;
    uint64_t most = d->steps / dispatch_total(d) * alone->count * TIMES_AVERAGE + STEPS_LEAST;
    if (alone->turns)
        most *= TIMES_TURNS;
    if (alone->max_steps && alone->max_steps < most)
        most = alone->max_steps;
    if (!options.max_steps || options.max_steps > most)
        options.max_steps = most;
    return options;
}

static void run_now(const struct dispatch *d, const struct alone *alone) {
    struct run_options options = options_of(d, alone);
    struct dispatch_spec spec = {.kernel = d->launch.kernel,
                                 .entry = d->launch.entry,
                                 .overrides = d->launch.overrides,
                                 .buffers = d->launch.buffers,
                                 .ops = d->launch.ops,
                                 .before = d->before};
    struct dispatch now;

    memcpy(spec.groups, d->launch.groups, sizeof spec.groups);
    saved_restore(d->before);
    if (dispatch_init(&now, d->device, &options, &spec, NULL) < 0)
        return;
    now.listeners = alone->listener;
    now.listener_count = alone->listener != NULL;
    if (alone->rows)
        dispatch_observe_rows(&now, alone->rows);
    queue_init(&now.queue, ORDER_LIST, alone->count, 0,
               alone->workgroups); /* there are no others */
    if (dispatch_run(&now, NULL) == 0 && alone->stopped)
        alone->stopped(alone->self, &now);
    dispatch_release(&now);
}

void alone_run(const struct dispatch *d, const struct alone *alone) {
    struct saved results;

    if (saved_take(&results, d->launch.kernel, d->launch.buffers) < 0)
        return;
    run_now(d, alone);
    saved_restore(&results);
    saved_release(&results);
}

/* ---- Waiting ---- */

static bool looks_at(const struct lane_log *log, uint32_t lane, const struct alone_look *look) {
    const uint64_t *block = lane_log_block(log, lane / WG_LOG_ROW);

    for (uint32_t row = 0; row < lane_log_rows(log, lane); row++) {
        uint64_t word = block[(size_t)row * WG_LOG_ROW + lane % WG_LOG_ROW];
        if (word_site(word) == look->site->id && (word & WORD_PLACE) == look->place)
            return true;
    }
    return false;
}

/* Whether an invocation of a subgroup that turns in its closed loop looks there. */
static bool goes_on_looking(struct dispatch *d, struct workgroup *w,
                            const struct alone_look *look) {
    struct subgroup *s = &w->subgroups[look->invocation / d->launch.subgroup_size];
    uint32_t lane = look->invocation - s->first;

    for (uint64_t i = 0; i < d->period_steps && i < TURNS_WATCHED; i++) {
        if (!lanes_has(s->ready, lane))
            return false;
        workgroup_step(w, s, s->ready, &d->logs[0]);
        if (looks_at(&d->logs[0], lane, look))
            return true;
        if (lanes_empty(s->ready) && !lanes_empty(s->collective))
            workgroup_collect(w, s);
    }
    return false;
}

static struct workgroup *resident_of(const struct dispatch *d) {
    for (uint32_t cu = 0; cu < d->device->cus; cu++)
        for (uint32_t slot = 0; slot < d->units[cu].slot_count; slot++)
            if (d->units[cu].slots[slot])
                return d->units[cu].slots[slot];
    return NULL;
}

struct question {
    const struct alone_look *look;
    bool waits;
};

static void look_at_residents(void *self, struct dispatch *d) {
    struct question *question = self;
    struct workgroup *w = d->verdict == VERDICT_DEADLOCK ? resident_of(d) : NULL;

    question->waits = w && goes_on_looking(d, w, question->look);
}

bool alone_waits(const struct dispatch *d, const struct alone_look *look) {
    struct question question = {look, false};
    const struct alone alone = {.workgroups = &look->workgroup,
                                .count = 1,
                                .pace = d->options->pace,
                                .independent = true,
                                .stopped = look_at_residents,
                                .self = &question};

    alone_run(d, &alone);
    return question.waits;
}
