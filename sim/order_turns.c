/* Time is parted into periods, and each period into a slot for every invocation there is: whoever
 * waits goes on in its slot of the next period. Where nobody else can run, no time passes till
 * then; those that wait for somebody who is held up turn in their loops for a slot. */
#include "sim/order_turns.h"

/* Steps that others may make before the next invocation goes on. */
enum { SLOT_CYCLES = 64 };
/* And before the next workgroup does. */
enum { WORKGROUP_CYCLES = 1 << 14 };

struct order_turns order_turns_way(const struct order_pair *pair, uint32_t way) {
    return (struct order_turns){
        .pair = pair, .second_only = way >= 2, .whole = way < 2, .descending = way % 2};
}

struct order_turns order_turns_by_workgroup(const struct order_pair *pair, bool descending) {
    return (struct order_turns){.pair = pair, .by_workgroup = true, .descending = descending};
}

/* Where the workgroup stands among those that it is about, or their number. */
static uint32_t index_of(const struct order_pair *pair, const struct workgroup *w) {
    uint32_t index = 0;

    while (index < pair->count && pair->workgroups[index] != w->id)
        index++;
    return index;
}

static uint64_t slots(const struct order_pair *pair, const struct workgroup *w) {
    return (uint64_t)pair->count * w->launch->invocations;
}

static uint64_t slot_of(const struct order_turns *turns, const struct workgroup *w,
                        uint32_t invocation) {
    const struct order_pair *pair = turns->pair;
    uint64_t slot = (uint64_t)index_of(pair, w) * w->launch->invocations + invocation;

    return turns->descending ? slots(pair, w) - 1 - slot : slot;
}

static bool stands_before(const struct order_turns *turns, wg_stop stop) {
    const struct order_pair *pair = turns->pair;

    return stop_event(stop) == WG_EVENT_ATOMIC &&
           (stop_site(stop) == pair->second->id ||
            (!turns->second_only && stop_site(stop) == pair->first->id));
}

static struct lanes held_up(const struct order_turns *turns, const struct order_turn *turn,
                            const struct subgroup *s) {
    struct lanes held = {{0, 0}};
    uint32_t lane;

    for (LANES_EACH(lane, s->ready))
        if (!lanes_has(turn->passing, lane) && stands_before(turns, subgroup_stop(s, lane)))
            lanes_add(&held, lane);
    return held;
}

/* When the workgroup goes on: once in a dispatch. */
static uint64_t time_of(const struct order_turns *turns, const struct workgroup *w) {
    uint32_t index = index_of(turns->pair, w);

    return ((turns->descending ? turns->pair->count - 1 - index : index) + 1ull) * WORKGROUP_CYCLES;
}

/* Of the lanes that wait, the one that goes on first. */
static uint32_t first_of(const struct order_turns *turns, struct lanes waiting) {
    uint32_t lane, last = 0;

    if (!turns->descending)
        return lanes_lowest(waiting);
    for (LANES_EACH(lane, waiting))
        last = lane;
    return last;
}

struct lanes order_turns_next(const struct order_turns *turns, struct order_turn *turn,
                              const struct workgroup *w, const struct subgroup *s, uint64_t cycle) {
    struct lanes held = {{0, 0}}, free;

    if (index_of(turns->pair, w) < turns->pair->count)
        held = held_up(turns, turn, s);
    free = lanes_without(s->ready, held);
    turn->waiting = lanes_and(turn->waiting, held);
    if (lanes_empty(held))
        return free;
    if (turns->by_workgroup) {
        turn->due = time_of(turns, w);
        return cycle < turn->due ? free : s->ready;
    }
    if (lanes_empty(turn->waiting)) {
        uint64_t period = slots(turns->pair, w) * SLOT_CYCLES;
        turn->start = (cycle / period + 1) * period;
    }
    if (cycle < turn->start)
        turn->waiting = held;
    uint32_t first = first_of(turns, turn->waiting);
    turn->due = turn->start + (slot_of(turns, w, s->first + first) + 1) * SLOT_CYCLES;
    if (cycle < turn->due)
        return free;
    lanes_remove(&turn->waiting, first);
    if (turns->whole)
        lanes_add(&turn->passing, first);
    lanes_add(&free, first);
    return free;
}

void order_turns_stepped(struct order_turn *turn, const struct subgroup *s) {
    turn->passing = lanes_and(turn->passing, s->ready);
}
