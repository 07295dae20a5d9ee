/* Which turn of each loop around it an access was made in, outermost first. */
#ifndef SIM_TRIP_H
#define SIM_TRIP_H

#include "sim/track.h"

enum { TRIP_DEPTH = 4 };

struct trip {
    uint64_t key; /* of the track it was taken from: equal keys, equal trips */
    uint32_t depth;
    uint32_t loop[TRIP_DEPTH]; /* site of the loop */
    uint32_t turn[TRIP_DEPTH]; /* from 0 */
};

/* The outermost TRIP_DEPTH loops of a track, which may be NULL. */
static inline void trip_take(struct trip *trip, const struct track *track) {
    uint32_t depth = 0;

    trip->key = track ? track->key : 0;
    for (uint32_t i = 0; track && i < track->depth && depth < TRIP_DEPTH; i++) {
        if (track->frames[i].is_call || track->frames[i].turn == 0)
            continue;
        trip->loop[depth] = track->frames[i].site;
        trip->turn[depth++] = (uint32_t)track->frames[i].turn - 1;
    }
    trip->depth = depth;
}

/* The number of loops that are around both, from outermost on. */
static inline uint32_t trip_common(const struct trip *a, const struct trip *b) {
    uint32_t depth = 0;

    while (depth < a->depth && depth < b->depth && a->loop[depth] == b->loop[depth])
        depth++;
    return depth;
}

/* One more than the depth of the outermost of these in which the turns differ; 0: in none. */
static inline uint32_t trip_apart(const struct trip *a, const struct trip *b) {
    uint32_t common = trip_common(a, b);

    for (uint32_t d = 0; d < common; d++)
        if (a->turn[d] != b->turn[d])
            return d + 1;
    return 0;
}

#endif
