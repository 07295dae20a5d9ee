/* What if some workgroups started before all others, and those never did. Any order of starting is
 * one that WebGPU allows. */
#ifndef SIM_ALONE_H
#define SIM_ALONE_H

#include "sim/dispatch/dispatch.h"

struct alone {
    const uint64_t *workgroups; /* in the order in which they start */
    size_t count;
    /* As in run_options. */
    enum pace pace;
    uint32_t resident;
    const struct wg_site *late;
    const struct order_turns *turns;
    uint64_t max_steps; /* 0: as many as they should need */
    bool independent;   /* lanes diverge freely, whatever they did in the run that was made */
    bool unstressed;    /* lanes run from atomic to atomic, whatever they did in it */
    /* Who watches; may be NULL. */
    const struct listener *listener;
    const struct row_observer *rows;
    void (*stopped)(void *self, struct dispatch *dispatch); /* its residents are still there */
    void *self;
};

/* Runs them on the contents that the buffers had before the dispatch; they are left as they are.
 * Nothing is said where memory does not suffice. */
void alone_run(const struct dispatch *dispatch, const struct alone *alone);

/* An atomic of an invocation. */
struct alone_look {
    const struct wg_site *site;
    uint64_t place; /* variable and offset, as in a word of the log */
    uint64_t workgroup;
    uint32_t invocation; /* of it */
};

/* Whether it is proved that the workgroup, by itself, can never go on, and that the invocation goes
 * on looking there: then it waits for another one, whatever a loop looks like. Lanes diverge
 * freely, or it might wait for one of its own that is masked. */
bool alone_waits(const struct dispatch *dispatch, const struct alone_look *look);

#endif
