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
    struct lanes repeated;
    bool done; /* all ready lanes have repeated */
    struct snapshot *lanes;
};

struct watch {
    uint64_t epoch;   /* grows with every change */
    uint32_t stepped; /* subgroups that stepped in this epoch */
    bool open;        /* all have */
    uint64_t window;
    uint32_t repeated; /* subgroups that have come back */
    uint64_t period;
};

struct watch *watch_new(void) {
    struct watch *watch = calloc(1, sizeof *watch);

    if (watch)
        watch->epoch = watch->window = 1;
    return watch;
}

void watch_free(struct watch *watch) {
    free(watch);
}

void watch_change(struct watch *watch) {
    watch->epoch++;
    watch->stepped = watch->repeated = 0;
    watch->open = false;
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

/* Compares or takes the lanes' states; true once each has come back to an earlier one. */
static bool look_back(struct watch *watch, struct past *past, const struct workgroup *w,
                      const struct subgroup *s) {
    uint32_t lane;

    if (past->steps == past->next) {
        for (LANES_EACH(lane, s->ready))
            if (!take(&past->lanes[lane], w, s, lane))
                return false;
        past->taken = past->steps;
        past->next = past->steps * 2 + 1;
        past->repeated = (struct lanes){{0, 0}};
        past->steps++;
        return false;
    }
    for (LANES_EACH(lane, s->ready))
        if (!lanes_has(past->repeated, lane) && same(&past->lanes[lane], w, s, lane))
            lanes_add(&past->repeated, lane);
    past->steps++;
    if (!lanes_empty(lanes_without(s->ready, past->repeated)))
        return false;
    if (past->steps - 1 - past->taken > watch->period)
        watch->period = past->steps - 1 - past->taken;
    return true;
}

bool watch_quiet_step(struct watch *watch, const struct workgroup *w, struct subgroup *s,
                      uint32_t stepping) {
    struct past *past = past_of(s);

    if (!past)
        return false;
    if (past->epoch != watch->epoch) {
        past->epoch = watch->epoch;
        watch->stepped++;
    }
    if (!watch->open) {
        if (watch->stepped < stepping)
            return false;
        watch->open = true;
        watch->window++;
    }
    if (past->window != watch->window) {
        past->window = watch->window;
        past->steps = past->next = 0;
        past->done = false;
    }
    if (!past->done && look_back(watch, past, w, s)) {
        past->done = true;
        watch->repeated++;
    }
    return watch->repeated == stepping;
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
