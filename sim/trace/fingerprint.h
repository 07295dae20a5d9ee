/* A hash of all that a run did and when, to tell whether another run did the same. Hashes on the
 * way tell about where two runs parted. */
#ifndef SIM_TRACE_FINGERPRINT_H
#define SIM_TRACE_FINGERPRINT_H

#include <stddef.h>

#include "sim/record.h"

enum { FINGERPRINT_STOPS = 64 };

struct fingerprint_stop {
    uint64_t records; /* heard so far */
    uint64_t hash;
    uint64_t dispatch; /* from 1 */
    uint64_t cycle;    /* of the dispatch */
};

/* Invariant: stop i stands at (i + 1) * stride records, and stop_count < FINGERPRINT_STOPS. */
struct fingerprint_state {
    uint64_t records, hash, dispatches;
    uint64_t stride, next_stop;
    bool ahead; /* workgroups run ahead in the last dispatch */
    size_t stop_count;
    struct fingerprint_stop stops[FINGERPRINT_STOPS];
};

/* A dispatch that begins a second time leaves no trace of the first. */
struct fingerprint {
    struct fingerprint_state now, before; /* before: the dispatch under way */
    bool in_dispatch;
};

void fingerprint_init(struct fingerprint *print);
void fingerprint_hear(struct fingerprint *print, const struct record *record);

#endif
