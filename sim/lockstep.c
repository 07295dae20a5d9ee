/* Reconvergence by structure. */
#include "sim/lockstep.h"

#include <stdlib.h>
#include <string.h>

enum construct { CONSTRUCT_BRANCH, CONSTRUCT_LOOP, CONSTRUCT_CALL };

/* A construct that lanes entered together and have not left. */
struct construct_node {
    uint32_t parent; /* index; NONE: of the outermost */
    uint32_t site;
    enum construct construct;
    struct lanes members; /* empty: the node is free */
};
#define NONE UINT32_MAX

struct lockstep {
    struct construct_node *nodes;
    uint32_t count, capacity;
    uint32_t inside[LANES_MAX]; /* the innermost construct of each lane */
    struct lanes current;       /* ran last */
};

int lockstep_start(struct subgroup *s) {
    if (!s->lockstep)
        s->lockstep = calloc(1, sizeof *s->lockstep);
    if (!s->lockstep)
        return -1;
    s->lockstep->count = 0;
    s->lockstep->current = s->ready;
    for (uint32_t lane = 0; lane < LANES_MAX; lane++)
        s->lockstep->inside[lane] = NONE;
    return 0;
}

void lockstep_forget(struct workgroup *w) {
    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        if (w->subgroups[i].lockstep)
            free(w->subgroups[i].lockstep->nodes);
        free(w->subgroups[i].lockstep);
        w->subgroups[i].lockstep = NULL;
    }
}

void lockstep_put(struct tape *tape, const struct subgroup *s) {
    const struct lockstep *l = s->lockstep;

    if (!l)
        return;
    tape_put(tape, &l->current, sizeof l->current);
    tape_put(tape, l->inside, s->width * sizeof *l->inside);
    for (uint32_t i = 0; i < l->count; i++) {
        const struct construct_node *node = &l->nodes[i];
        tape_put(tape, &node->members, sizeof node->members);
        if (!lanes_empty(node->members))
            tape_number(tape, (uint64_t)node->site << 32 | (uint64_t)node->construct << 24 |
                                  (node->parent & 0xffffff));
    }
}

/* ---- Marks ---- */

/* The kind of mark at which a stop is, or -1. */
static int mark_of(wg_stop stop) {
    return stop_event(stop) == WG_EVENT_MARK ? (int)stop_mark(stop) : -1;
}

static const struct construct_node *node_of(const struct lockstep *l, uint32_t lane) {
    return l->inside[lane] == NONE ? NULL : &l->nodes[l->inside[lane]];
}

static bool is_inside(const struct lockstep *l, uint32_t lane, enum construct construct,
                      uint32_t site) {
    const struct construct_node *node = node_of(l, lane);

    return node && node->construct == construct && node->site == site;
}

static int enter(struct lockstep *l, struct lanes lanes, enum construct construct, uint32_t site) {
    uint32_t index = 0, lane;

    while (index < l->count && !lanes_empty(l->nodes[index].members))
        index++;
    if (index == l->capacity) {
        uint32_t capacity = l->capacity ? l->capacity * 2 : 32;
        struct construct_node *nodes = realloc(l->nodes, capacity * sizeof *nodes);
        if (!nodes)
            return -1;
        l->nodes = nodes;
        l->capacity = capacity;
    }
    if (index == l->count)
        l->count++;
    l->nodes[index] =
        (struct construct_node){l->inside[lanes_lowest(lanes)], site, construct, lanes};
    for (LANES_EACH(lane, lanes))
        l->inside[lane] = index;
    return 0;
}

static void leave(struct lockstep *l, struct lanes lanes, enum construct construct, uint32_t site) {
    uint32_t lane;

    for (LANES_EACH(lane, lanes)) {
        if (!is_inside(l, lane, construct, site))
            continue;
        struct construct_node *node = &l->nodes[l->inside[lane]];
        lanes_remove(&node->members, lane);
        l->inside[lane] = node->parent;
    }
}

/* The lanes, which stand at one mark in one construct, pass it. */
static int pass(struct lockstep *l, struct lanes lanes, int mark, uint32_t site) {
    switch (mark) {
    case WG_MARK_TURN:
        if (is_inside(l, lanes_lowest(lanes), CONSTRUCT_LOOP, site))
            return 0;
        return enter(l, lanes, CONSTRUCT_LOOP, site);
    case WG_MARK_BRANCH:
        return enter(l, lanes, CONSTRUCT_BRANCH, site);
    case WG_MARK_CALL:
        return enter(l, lanes, CONSTRUCT_CALL, site);
    case WG_MARK_LEAVE:
        leave(l, lanes, CONSTRUCT_LOOP, site);
        return 0;
    case WG_MARK_MEET:
        leave(l, lanes, CONSTRUCT_BRANCH, site);
        return 0;
    case WG_MARK_RETURN:
        leave(l, lanes, CONSTRUCT_CALL, site);
        return 0;
    default:
        return 0;
    }
}

/* ---- Who waits for whom ---- */

/* Whether a lane that stands at an end of construct `index` has arrived there: at the same end, or
 * at the end of the loop while others begin a turn. */
static bool has_arrived(const struct subgroup *s, uint32_t lane, uint32_t index, int mark,
                        uint32_t site) {
    wg_stop stop = subgroup_stop(s, lane);
    int its = mark_of(stop);

    if (s->lockstep->inside[lane] != index || stop_site(stop) != site)
        return false;
    return its == mark || (mark == WG_MARK_TURN && its == WG_MARK_LEAVE);
}

static bool all_arrived(const struct subgroup *s, uint32_t index, int mark, uint32_t site) {
    uint32_t lane;

    for (LANES_EACH(lane, lanes_and(s->lockstep->nodes[index].members, s->ready)))
        if (!has_arrived(s, lane, index, mark, site))
            return false;
    return true;
}

/* A loop that made no turn for this lane: others, from the same construct, may still be inside. */
static bool others_turn(const struct subgroup *s, uint32_t lane, uint32_t site) {
    const struct lockstep *l = s->lockstep;
    uint32_t other;

    for (LANES_EACH(other, s->ready)) {
        uint32_t node = l->inside[other];
        wg_stop stop = subgroup_stop(s, other);
        if (node == l->inside[lane] && stop_site(stop) == site && mark_of(stop) == WG_MARK_TURN)
            return true; /* about to enter */
        for (; node != NONE; node = l->nodes[node].parent)
            if (l->nodes[node].construct == CONSTRUCT_LOOP && l->nodes[node].site == site &&
                l->nodes[node].parent == l->inside[lane] &&
                !has_arrived(s, other, node, WG_MARK_LEAVE, site))
                return true;
    }
    return false;
}

static bool must_wait(const struct subgroup *s, uint32_t lane) {
    wg_stop stop = subgroup_stop(s, lane);
    int mark = mark_of(stop);
    uint32_t site = stop_site(stop), index = s->lockstep->inside[lane];
    enum construct construct = mark == WG_MARK_MEET     ? CONSTRUCT_BRANCH
                               : mark == WG_MARK_RETURN ? CONSTRUCT_CALL
                                                        : CONSTRUCT_LOOP;

    if (mark != WG_MARK_MEET && mark != WG_MARK_LEAVE && mark != WG_MARK_TURN &&
        mark != WG_MARK_RETURN)
        return false;
    if (is_inside(s->lockstep, lane, construct, site))
        return !all_arrived(s, index, mark, site);
    return mark == WG_MARK_LEAVE && others_turn(s, lane, site);
}

/* ---- The mask ---- */

/* The construct in which a lane will be once it has passed the end of a loop at which it stands;
 * else where it is. Lanes for which the loop made no turn meet the others there. */
static uint32_t behind_loop(const struct subgroup *s, uint32_t lane) {
    wg_stop stop = subgroup_stop(s, lane);

    if (mark_of(stop) == WG_MARK_LEAVE &&
        is_inside(s->lockstep, lane, CONSTRUCT_LOOP, stop_site(stop)))
        return node_of(s->lockstep, lane)->parent;
    return s->lockstep->inside[lane];
}

/* Whether two lanes stand at one place, whatever flow they have still to tell of. */
static bool stands_as(wg_stop a, wg_stop b) {
    return stop_site(a) == stop_site(b) && stop_event(a) == stop_event(b) &&
           stop_mark(a) == stop_mark(b);
}

/* The lanes of `among` that stand where `as` does, in the same construct. */
static struct lanes same_place(const struct subgroup *s, struct lanes among, uint32_t as) {
    struct lanes same = {{0, 0}};
    uint32_t lane;

    for (LANES_EACH(lane, among))
        if (stands_as(subgroup_stop(s, lane), subgroup_stop(s, as)) &&
            behind_loop(s, lane) == behind_loop(s, as))
            lanes_add(&same, lane);
    return same;
}

/* Earlier in the source goes first; a lane inside a loop before one that stands at its end. */
static uint32_t first_in_source(const struct subgroup *s, struct lanes among) {
    uint32_t lane, best = lanes_lowest(among);

    for (LANES_EACH(lane, among)) {
        wg_stop stop = subgroup_stop(s, lane), least = subgroup_stop(s, best);
        if (stop_site(stop) < stop_site(least) ||
            (stop_site(stop) == stop_site(least) && mark_of(stop) < mark_of(least)))
            best = lane;
    }
    return best;
}

/* Whether all ready lanes stand at one place of one construct, as they do most of the time: then
 * nobody waits for anybody. */
static bool all_stand_as_one(const struct subgroup *s) {
    uint32_t first = lanes_lowest(s->ready), lane;

    for (LANES_EACH(lane, s->ready))
        if (s->lockstep->inside[lane] != s->lockstep->inside[first] ||
            !stands_as(subgroup_stop(s, lane), subgroup_stop(s, first)))
            return false;
    return true;
}

/* Lanes at one place of one construct wait, or do not, together. */
struct lanes lockstep_parked(const struct subgroup *s) {
    struct lanes parked = {{0, 0}}, left = s->ready;

    if (lanes_empty(left) || all_stand_as_one(s))
        return parked;
    while (!lanes_empty(left)) {
        uint32_t first = lanes_lowest(left), lane;
        struct lanes alike = {{0, 0}};
        for (LANES_EACH(lane, left))
            if (s->lockstep->inside[lane] == s->lockstep->inside[first] &&
                stands_as(subgroup_stop(s, lane), subgroup_stop(s, first)))
                lanes_add(&alike, lane);
        if (must_wait(s, first))
            parked = lanes_or(parked, alike);
        left = lanes_without(left, alike);
    }
    return parked;
}

/* The lanes that run next stand where `leader` does: they pass what is there. */
static struct lanes go_on(struct subgroup *s, struct lanes lanes, uint32_t leader, bool *failed) {
    wg_stop stop = subgroup_stop(s, leader);

    s->lockstep->current = lanes;
    if (pass(s->lockstep, lanes, mark_of(stop), stop_site(stop)) < 0)
        *failed = true;
    return lanes;
}

struct lanes lockstep_next(struct subgroup *s, bool *failed) {
    if (!lanes_empty(s->ready) && all_stand_as_one(s))
        return go_on(s, s->ready, lanes_lowest(s->ready), failed);
    struct lanes free = lanes_without(s->ready, lockstep_parked(s));
    struct lanes kept = lanes_and(s->lockstep->current, free);

    if (lanes_empty(kept))
        kept = free;
    if (lanes_empty(kept))
        return kept;
    uint32_t leader = first_in_source(s, kept);
    return go_on(s, same_place(s, free, leader), leader, failed);
}
