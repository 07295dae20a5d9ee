/* Runs of one workgroup. */
#include "sim/alone.h"

#include <string.h>

#include "sim/word.h"

enum { STEPS_MAX = 1 << 20 };

/* A loop is stepped through at most so often to see what it looks at. */
enum { TURNS_WATCHED = 64 };

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

/* The queue has no other workgroup. */
static bool run_alone(struct dispatch *d, const struct alone_look *look) {
    d->queue.next = look->workgroup;
    d->queue.total = look->workgroup + 1;
    if (dispatch_run(d, NULL) < 0 || d->verdict != VERDICT_DEADLOCK)
        return false;
    struct workgroup *w = resident_of(d);
    return w && goes_on_looking(d, w, look);
}

/* How it is run: its only difference from the run that was made is who starts. */
static struct run_options options_of(const struct dispatch *d) {
    struct run_options options = *d->options;

    options.order = ORDER_ASCENDING;
    options.placement = PLACE_FEWEST;
    options.weak_memory = false;
    if (!options.max_steps || options.max_steps > STEPS_MAX)
        options.max_steps = STEPS_MAX;
    return options;
}

static bool waits_now(const struct dispatch *d, const struct alone_look *look) {
    struct run_options options = options_of(d);
    struct dispatch_spec spec = {.kernel = d->launch.kernel,
                                 .entry = d->launch.entry,
                                 .overrides = d->launch.overrides,
                                 .buffers = d->launch.buffers,
                                 .ops = d->launch.ops,
                                 .before = d->before};
    struct dispatch alone;

    memcpy(spec.groups, d->launch.groups, sizeof spec.groups);
    saved_restore(d->before);
    if (dispatch_init(&alone, d->device, &options, &spec, NULL) < 0)
        return false;
    bool waits = run_alone(&alone, look);
    dispatch_release(&alone);
    return waits;
}

bool alone_waits(const struct dispatch *d, const struct alone_look *look) {
    struct saved now;

    if (d->options->lockstep || saved_take(&now, d->launch.kernel, d->launch.buffers) < 0)
        return false;
    bool waits = waits_now(d, look);
    saved_restore(&now);
    saved_release(&now);
    return waits;
}
