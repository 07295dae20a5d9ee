/* What if one workgroup started before all others, and they never did: where it waits for ever
 * then, it waits for one of them, whatever a loop looks like. Any order of starting is one that
 * WebGPU allows. */
#ifndef SIM_ALONE_H
#define SIM_ALONE_H

#include "sim/dispatch.h"

/* An atomic of an invocation. */
struct alone_look {
    const struct wg_site *site;
    uint64_t place; /* variable and offset, as in a word of the log */
    uint64_t workgroup;
    uint32_t invocation; /* of it */
};

/* Runs the workgroup by itself, on the contents that the buffers had before the dispatch; they are
 * left as they are. True: it is proved that it can never go on, and that the invocation goes on
 * looking there; false also where memory or time did not suffice. */
bool alone_waits(const struct dispatch *dispatch, const struct alone_look *look);

#endif
