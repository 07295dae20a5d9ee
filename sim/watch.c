/* Comparing invocations with their own past. */
#include "sim/watch.h"

#include <stdlib.h>
#include <string.h>

#include "sim/mix.h"
#include "sim/workgroup.h"

/* The state of one lane as it was. */
struct snapshot {
    struct coro_place place;
    uint8_t *bytes;
    size_t length, capacity;
    wg_stop stop;
    struct wg_collective operand;
};

/* The past of a subgroup: Brent's doubling, so that any period is found. */
struct past {
    uint64_t epoch, window; /* in which it last stepped; to which the rest belongs */
    uint64_t steps, next;   /* in this window; when to take the next snapshot */
    uint64_t taken;         /* step of the snapshot */
    struct lanes moved;     /* in this window */
    struct lanes repeated;
    bool coupled; /* its lanes have told each other something */
    bool waiting; /* all of it, at a barrier */
    bool done;    /* all that moved have repeated */
    struct snapshot *lanes;
};

struct watch {
    uint64_t epoch;   /* grows with every change */
    uint32_t stepped; /* subgroups that stepped in this epoch */
    bool open;        /* all have */
    uint64_t window;
    uint64_t left, length;   /* quiet steps of the window */
    uint64_t releases;       /* of barriers, since memory changed */
    bool lets_pass;          /* they count as changes no more */
    uint32_t moved, waiting; /* subgroups that stepped on in it; of these those at a barrier */
    uint32_t repeated;       /* and those that have come back */
    uint64_t period;
};

/* What moves first and is blocked then never comes back: windows end after so many steps for each
 * runnable subgroup, and the next is twice as long. */
enum { WINDOW_STEPS = 16 };
/* Barriers that count as changes, for each resident workgroup. */
enum { RELEASES_PASSED = 4 };

struct watch *watch_new(void) {
    struct watch *watch = calloc(1, sizeof *watch);

    if (watch)
        watch->epoch = watch->window = 1;
    return watch;
}

void watch_free(struct watch *watch) {
    free(watch);
}

static void close_window(struct watch *watch) {
    watch->epoch++;
    watch->stepped = 0;
    watch->open = false;
    watch->length = 0;
}

void watch_change(struct watch *watch) {
    watch->releases = 0;
    watch->lets_pass = false;
    close_window(watch);
}

static void open_window(struct watch *watch, uint32_t stepping) {
    watch->open = true;
    watch->window++;
    watch->length = watch->length ? watch->length * 2 : (stepping + 1) * (uint64_t)WINDOW_STEPS;
    watch->left = watch->length;
    watch->moved = watch->waiting = watch->repeated = 0;
    watch->period = 0;
}

uint64_t watch_changes(const struct watch *watch) {
    return watch->epoch;
}

uint64_t watch_period(const struct watch *watch) {
    return watch->period;
}

static struct coro_state state_of(const struct workgroup *w, const struct subgroup *s,
                                  uint32_t lane) {
    struct coro_state state = coro_state(subgroup_lane(s, lane), &w->stacks, s->first + lane);

    coro_forget_red_zones(state.bytes, state.length);
    return state;
}

static bool take(struct snapshot *snapshot, const struct workgroup *w, const struct subgroup *s,
                 uint32_t lane) {
    struct coro_state state = state_of(w, s, lane);

    if (state.length > snapshot->capacity) {
        uint8_t *bytes = realloc(snapshot->bytes, state.length);
        if (!bytes)
            return false;
        snapshot->bytes = bytes;
        snapshot->capacity = state.length;
    }
    if (state.length)
        memcpy(snapshot->bytes, state.bytes, state.length);
    snapshot->place = state.place;
    snapshot->length = state.length;
    snapshot->stop = subgroup_stop(s, lane);
    snapshot->operand = w->ctx.collectives[s->first + lane];
    return true;
}

static bool same(const struct snapshot *snapshot, const struct workgroup *w,
                 const struct subgroup *s, uint32_t lane) {
    struct coro_state state = state_of(w, s, lane);

    return coro_place_same(snapshot->place, state.place) && snapshot->length == state.length &&
           snapshot->stop == subgroup_stop(s, lane) &&
           memcmp(snapshot->bytes, state.bytes, state.length) == 0 &&
           memcmp(&snapshot->operand, &w->ctx.collectives[s->first + lane],
                  sizeof snapshot->operand) == 0;
}

uint64_t watch_state_hash(const struct workgroup *w, const struct subgroup *s, uint32_t lane) {
    struct coro_state state = state_of(w, s, lane);
    uint64_t hash = mix((uint64_t)(uintptr_t)state.place.resume ^ subgroup_stop(s, lane)), word = 0;

    hash = mix(hash ^ (uintptr_t)state.place.sp);
    hash = mix(hash ^ (uintptr_t)state.place.base);
    for (size_t i = 0; i < state.length; i += sizeof word) {
        size_t left = state.length - i;
        memcpy(&word, state.bytes + i, left < sizeof word ? left : sizeof word);
        hash = mix(hash ^ word);
    }
    return hash;
}

static struct past *past_of(struct subgroup *s) {
    if (!s->past) {
        s->past = calloc(1, sizeof *s->past);
        if (s->past)
            s->past->lanes = calloc(s->width, sizeof *s->past->lanes);
    }
    return s->past && s->past->lanes ? s->past : NULL;
}

static bool take_all(struct past *past, const struct workgroup *w, const struct subgroup *s) {
    uint32_t lane;

    for (LANES_EACH(lane, s->live))
        if (!take(&past->lanes[lane], w, s, lane))
            return false;
    past->taken = past->steps;
    past->next = past->steps * 2 + 1;
    past->repeated = (struct lanes){{0, 0}};
    return true;
}

/* Those that must come back: all that moved, and those that can. In lockstep the latter may be
 * masked for good. */
static struct lanes needed_lanes(const struct past *past, const struct watch_step *step) {
    const struct subgroup *s = step->subgroup;
    struct lanes needed = past->moved;

    if (!step->workgroup->launch->lockstep)
        needed = lanes_or(needed, s->ready);
    return lanes_and(needed, s->live);
}

/* Compares or takes the lanes' states; true once each that moved has come back to an earlier one.
 * One that did not move is as it was, which says nothing. */
static bool look_back(struct watch *watch, struct past *past, const struct watch_step *step) {
    const struct subgroup *s = step->subgroup;
    struct lanes compared = lanes_and(step->ran, s->live);
    uint32_t lane;

    if (past->steps == past->next) {
        past->steps += take_all(past, step->workgroup, s);
        return false;
    }
    if (past->coupled) {
        compared = lanes_and(past->moved, s->live);
        past->repeated = (struct lanes){{0, 0}};
    }
    for (LANES_EACH(lane, compared))
        if (!lanes_has(past->repeated, lane) && same(&past->lanes[lane], step->workgroup, s, lane))
            lanes_add(&past->repeated, lane);
    past->steps++;
    if (!lanes_empty(lanes_without(needed_lanes(past, step), past->repeated)))
        return false;
    if (past->steps - 1 - past->taken > watch->period)
        watch->period = past->steps - 1 - past->taken;
    return true;
}

/* From where its lanes are now. */
static void enter_window(struct watch *watch, struct past *past, const struct watch_step *step) {
    past->window = watch->window;
    past->steps = past->next = 0;
    past->moved = (struct lanes){{0, 0}};
    past->coupled = past->waiting = past->done = false;
    look_back(watch, past, step);
}

static void move_on(struct watch *watch, struct past *past, const struct watch_step *step) {
    watch->moved += lanes_empty(past->moved);
    past->moved = lanes_or(past->moved, step->ran);
    past->coupled |= step->collected;
    if (!past->done && look_back(watch, past, step)) {
        past->done = true;
        watch->repeated++;
    }
}

/* A window is open, or opens now. */
static bool is_open(struct watch *watch, struct past *past, const struct watch_step *step) {
    bool goes_on = !lanes_empty(step->subgroup->ready) || watch->lets_pass;

    if (past->epoch != watch->epoch && goes_on) {
        past->epoch = watch->epoch;
        watch->stepped++;
    }
    if (watch->open ? watch->left-- == 0 : goes_on && watch->stepped >= step->stepping)
        open_window(watch, step->stepping);
    return watch->open;
}

bool watch_quiet_step(struct watch *watch, const struct watch_step *step) {
    struct past *past = past_of(step->subgroup);

    if (!past || !is_open(watch, past, step))
        return false;
    if (past->window != watch->window)
        enter_window(watch, past, step);
    else
        move_on(watch, past, step);
    return watch->moved > 0 && watch->repeated == watch->moved &&
           watch->moved - watch->waiting == step->stepping;
}

void watch_wait(struct watch *watch, struct subgroup *s) {
    struct past *past = s->past;

    if (!watch->open || !past || past->window != watch->window || lanes_empty(past->moved))
        return;
    past->waiting = true;
    watch->waiting++;
}

void watch_release(struct watch *watch, const struct workgroup *w, uint32_t residents) {
    watch->lets_pass = watch->releases++ >= (uint64_t)residents * RELEASES_PASSED;
    if (!watch->lets_pass)
        close_window(watch);
    for (uint32_t i = 0; watch->open && i < w->launch->subgroups; i++) {
        struct past *past = w->subgroups[i].past;
        if (!past || past->window != watch->window)
            continue;
        watch->waiting -= past->waiting;
        past->waiting = false;
        if (past->done && !lanes_empty(lanes_without(w->subgroups[i].ready, past->moved))) {
            past->done = false;
            watch->repeated--;
        }
    }
}

void watch_forget(struct workgroup *w) {
    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        struct past *past = w->subgroups[i].past;
        if (!past)
            continue;
        for (uint32_t lane = 0; past->lanes && lane < w->subgroups[i].width; lane++)
            free(past->lanes[lane].bytes);
        free(past->lanes);
        free(past);
        w->subgroups[i].past = NULL;
    }
}
