/* Comparing a run with its past as a whole. */
#include "sim/livelock.h"

#include <stdlib.h>
#include <string.h>

#include "sim/judge/judge.h"
#include "sim/lockstep.h"
#include "sim/saved.h"
#include "sim/schedule.h"
#include "sim/tape.h"

/* Steps without a start or an end of a workgroup before watching begins; bytes of state that are
 * kept at most. */
enum { PATIENCE_STEPS = 1 << 14, STATE_MAX = 1 << 28 };

/* Brent's doubling, counted in events: the state taken at 1, 2, 4, ... */
struct livelock {
    uint64_t from; /* steps from which on it watches */
    const struct workgroup **residents;
    size_t resident_count, resident_capacity;
    uint64_t events, next;
    bool taken;         /* there is a past: what follows */
    struct event first; /* the event that was to come */
    uint64_t steps, changes;
    struct tape tape, clocks; /* clocks as they are: compared as seen from now */
    struct timing *timing;
    struct event *order; /* scratch: the events in their order */
    size_t order_capacity;
    uint64_t period;
};

struct livelock *livelock_new(void) {
    struct livelock *l = calloc(1, sizeof *l);

    if (l)
        livelock_restart(l, 0);
    return l;
}

void livelock_free(struct livelock *l) {
    if (!l)
        return;
    tape_release(&l->tape);
    tape_release(&l->clocks);
    free(l->timing);
    free(l->order);
    free(l->residents);
    free(l);
}

void livelock_restart(struct livelock *l, uint64_t steps) {
    l->from = steps + PATIENCE_STEPS;
    l->events = 0;
    l->next = 1;
    l->taken = false;
    l->resident_count = 0;
}

bool livelock_due(const struct livelock *l, uint64_t steps) {
    return steps >= l->from;
}

bool livelock_knows_residents(const struct livelock *l) {
    return l->resident_count > 0;
}

int livelock_add(struct livelock *l, const struct workgroup *w) {
    if (l->resident_count == l->resident_capacity) {
        size_t capacity = l->resident_capacity * 2 + 16;
        const struct workgroup **residents = realloc(l->residents, capacity * sizeof *l->residents);
        if (!residents)
            return -1;
        l->residents = residents;
        l->resident_capacity = capacity;
    }
    l->residents[l->resident_count++] = w;
    return 0;
}

uint64_t livelock_period(const struct livelock *l) {
    return l->period;
}

/* ---- The state, on a tape ---- */

static void put_lanes(struct tape *tape, struct lanes lanes) {
    tape_put(tape, &lanes, sizeof lanes);
}

static void put_invocations(struct tape *tape, const struct workgroup *w) {
    uint32_t count = w->launch->invocations;

    tape_put(tape, w->ctx.collectives, count * sizeof *w->ctx.collectives);
    for (uint32_t i = 0; i < count && !tape->differs; i++) {
        const struct wg_lane *lane = workgroup_lane(w, i);
        struct coro_state state = coro_state(lane, &w->stacks, i);
        coro_forget_red_zones(state.bytes, state.length);
        tape_number(tape, lane->stop);
        tape_number(tape, (uintptr_t)state.place.sp);
        tape_number(tape, (uintptr_t)state.place.resume);
        tape_number(tape, (uintptr_t)state.place.base);
        tape_put(tape, state.bytes, state.length);
    }
}

/* Loops and calls of the lanes that can run, iterations as seen from the lowest. */
static void put_tracks(struct tape *tape, const struct subgroup *s) {
    const struct track *lowest = NULL;
    uint32_t lane;

    tape_number(tape, judge_united(s));
    for (LANES_EACH(lane, s->ready)) {
        const struct track *track = judge_track(s, lane);
        if (!track)
            continue;
        lowest = lowest ? lowest : track;
        tape_number(tape, (uint64_t)track->lost << 32 | track->depth);
        for (uint32_t i = 0; i < track->depth; i++) {
            const struct track_frame *frame = &track->frames[i];
            tape_number(tape, (uint64_t)frame->site << 1 | frame->is_call);
            tape_number(tape, frame->turn - (i < lowest->depth ? lowest->frames[i].turn : 0));
        }
    }
}

static void put_schedule(struct tape *tape, struct tape *clocks,
                         const struct subgroup_schedule *s) {
    size_t left = s->requests.count - s->played;

    tape_number(tape, left);
    tape_put(tape, s->requests.items + s->played, left * sizeof *s->requests.items);
    tape_number(tape, s->at_barrier);
    tape_number(tape, s->step_count - s->current);
    for (size_t i = s->current; i < s->step_count; i++)
        tape_number(tape, (uint64_t)(s->steps[i].end - s->played) << 2 | s->steps[i].how);
    if (!clocks->comparing)
        tape_put(clocks, &s->clock, sizeof s->clock);
}

static void put_subgroup(struct tape *tape, struct tape *clocks, const struct workgroup *w,
                         const struct subgroup *s) {
    put_lanes(tape, s->live);
    put_lanes(tape, s->ready);
    put_lanes(tape, s->at_barrier);
    put_lanes(tape, s->collective);
    put_tracks(tape, s);
    lockstep_put(tape, s);
    tape_number(tape, w->schedule->starting[s->index]);
    put_schedule(tape, clocks, &w->schedule->subgroups[s->index]);
}

static void put_workgroup(struct tape *tape, struct tape *clocks, const struct workgroup *w) {
    tape_number(tape, w->id);
    tape_number(tape, (uint64_t)w->live << 32 | w->waiting);
    tape_number(tape, w->schedule->running);
    for (uint32_t i = 0; i < w->launch->subgroups && !tape->differs; i++)
        put_subgroup(tape, clocks, w, &w->subgroups[i]);
    put_invocations(tape, w);
    tape_put(tape, w->memory, w->launch->memory_bytes);
}

static int by_order(const void *a, const void *b) {
    const struct event *x = a, *y = b;

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* The events in the order in which they come, that of the heap being one of several. */
static bool sort_events(struct livelock *l, const struct events *events) {
    if (events->count > l->order_capacity) {
        struct event *order = realloc(l->order, events->count * 2 * sizeof *order);
        if (!order)
            return false;
        l->order = order;
        l->order_capacity = events->count * 2;
    }
    memcpy(l->order, events->heap, events->count * sizeof *l->order);
    qsort(l->order, events->count, sizeof *l->order, by_order);
    return true;
}

static void put_events(struct livelock *l, struct tape *tape, const struct events *events) {
    if (!sort_events(l, events)) {
        tape->failed = true;
        return;
    }
    tape_number(tape, events->count);
    for (size_t i = 0; i < events->count; i++) {
        tape_number(tape, l->order[i].cycle - l->order[0].cycle);
        tape_number(tape, l->order[i].place);
        tape_number(tape, l->order[i].together);
    }
}

static void put_storage(struct tape *tape, const struct launch *launch) {
    for (size_t id = 0; id < launch->kernel->var_limit; id++)
        if (saved_concerns(launch->kernel->vars[id]) && launch->buffers[id].data)
            tape_put(tape, launch->buffers[id].data, launch->buffers[id].bytes);
}

static void put_all(struct livelock *l, const struct livelock_view *view) {
    struct tape *tape = &l->tape;

    put_events(l, tape, view->events);
    for (size_t i = 0; i < l->resident_count && !tape->differs; i++)
        put_workgroup(tape, &l->clocks, l->residents[i]);
    put_storage(tape, view->launch);
}

/* ---- Taking and comparing ---- */

static uint64_t storage_bytes(const struct launch *launch) {
    uint64_t bytes = 0;

    for (size_t id = 0; id < launch->kernel->var_limit; id++)
        if (saved_concerns(launch->kernel->vars[id]) && launch->buffers[id].data)
            bytes += launch->buffers[id].bytes;
    return bytes;
}

static bool take_timing(struct livelock *l, const struct livelock_view *view) {
    size_t bytes = timing_bytes(view->device);

    if (!l->timing)
        l->timing = malloc(bytes);
    if (l->timing)
        memcpy(l->timing, view->timing, bytes);
    return l->timing;
}

static void take(struct livelock *l, const struct livelock_view *view) {
    const struct launch *launch = view->launch;

    l->taken = false;
    if (storage_bytes(launch) + l->resident_count * launch->memory_bytes > STATE_MAX)
        return;
    tape_write(&l->tape);
    tape_write(&l->clocks);
    put_all(l, view);
    l->first = view->events->heap[0];
    l->steps = view->steps;
    l->changes = view->changes;
    l->taken = take_timing(l, view) && !l->tape.failed && !l->clocks.failed;
}

static bool same_clocks(const struct livelock *l, const struct livelock_view *view,
                        uint64_t cycle) {
    const struct timing_clock *then = (const struct timing_clock *)(const void *)l->clocks.bytes;

    for (size_t k = 0; k < l->resident_count; k++)
        for (uint32_t i = 0; i < view->launch->subgroups; i++)
            if (!timing_clock_same(then++, l->first.cycle,
                                   &l->residents[k]->schedule->subgroups[i].clock, cycle))
                return false;
    return true;
}

static bool same(struct livelock *l, const struct livelock_view *view, uint64_t cycle) {
    tape_compare(&l->tape);
    l->clocks.comparing = true;
    put_all(l, view);
    return tape_same(&l->tape) && timing_same(l->timing, l->first.cycle, view->timing, cycle) &&
           same_clocks(l, view, cycle);
}

bool livelock_look(struct livelock *l, const struct livelock_view *view) {
    const struct event *first = view->events->heap;

    if (view->events->count == 0)
        return false;
    if (l->taken && first->place == l->first.place && view->steps > l->steps &&
        view->changes != l->changes && same(l, view, first->cycle)) {
        l->period = view->steps - l->steps;
        return true;
    }
    if (++l->events == l->next) {
        l->next *= 2;
        take(l, view);
    }
    return false;
}
