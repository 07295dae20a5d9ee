/* A schedule that turns round what happens at some atomics: invocations that come to one wait until
 * the others can go no further, and then go on one after the other. Any such order is one that
 * WebGPU allows. */
#ifndef SIM_ORDER_TURNS_H
#define SIM_ORDER_TURNS_H

#include "sim/workgroup.h"

enum { ORDER_TURNS_WORKGROUPS = 4, ORDER_TURNS_WAYS = 4 };

/* The two atomics, and the workgroups that it is about: others are not held up. */
struct order_pair {
    const struct wg_site *first, *second;
    uint64_t workgroups[ORDER_TURNS_WORKGROUPS];
    uint32_t count; /* of them */
};

struct order_turns {
    const struct order_pair *pair;
    bool second_only;  /* nobody is held up at the first */
    bool descending;   /* the last invocation goes first */
    bool whole;        /* who goes on is not held up again before it comes to a barrier or ends */
    bool by_workgroup; /* the invocations of a workgroup go on together, and for good */
};

/* The ways in which there is something to see: each invocation does all it does there at once, or
 * all come to the second before any goes on; from either end. */
struct order_turns order_turns_way(const struct order_pair *pair, uint32_t way);

/* One workgroup behind the other does what it does there and all that follows. */
struct order_turns order_turns_by_workgroup(const struct order_pair *pair, bool descending);

/* Of a subgroup. A zeroed one is of one that has just started. */
struct order_turn {
    struct lanes waiting; /* that go on in the period that begins at `start` */
    struct lanes passing; /* that are not held up */
    uint64_t start, due;  /* due: when the next of them may go on */
};

/* The ready lanes of a subgroup that may make a step now; if there are none, turn->due says when to
 * ask again. */
struct lanes order_turns_next(const struct order_turns *turns, struct order_turn *turn,
                              const struct workgroup *workgroup, const struct subgroup *subgroup,
                              uint64_t cycle);
/* The step was made. */
void order_turns_stepped(struct order_turn *turn, const struct subgroup *subgroup);

#endif
