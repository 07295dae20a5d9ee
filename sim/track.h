/* Where a lane is in the structured flow of its kernel: calls and iterations of the loops around
 * it, as the marks in its log tell. Accesses of two lanes belong together only where these agree.
 */
#ifndef SIM_TRACK_H
#define SIM_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "wgsim/kernel.h"

enum { TRACK_DEPTH = 64 };

struct track_frame {
    uint32_t site;
    bool is_call;
    uint64_t
        turn; /* of a loop, from 1; 0: before the first, as where its condition is first asked */
    uint64_t outer_key, outer_path;
};

struct track {
    uint64_t key;  /* hash of the calls and iterations */
    uint64_t path; /* hash of the calls alone */
    uint32_t depth;
    uint32_t lost; /* loops and calls beyond TRACK_DEPTH that it is in */
    struct track_frame frames[TRACK_DEPTH];
};

/* Leaves loops and calls. */
void track_leave(struct track *track, uint32_t count);
/* Takes note of a mark (enum wg_mark). */
void track_mark(struct track *track, uint32_t site, uint32_t mark);
/* Takes note of flow (WG_FLOW_LEFT and WG_FLOW_TURN). The key of a loop's first turn is a hash, so
 * that those of the others may lie side by side. */
static inline void track_flow(struct track *track, uint32_t flow) {
    if (flow & WG_FLOW_LEFT)
        track_leave(track, flow & WG_FLOW_LEFT);
    if (!(flow & WG_FLOW_TURN) || track->lost || track->depth == 0)
        return;
    track->frames[track->depth - 1].turn++;
    track->key += UINT64_C(0x9e3779b97f4a7c15);
}

/* Whether it is in a turn of a loop, or in a call. */
bool track_is_inside(const struct track *track);

/* Copies what is in use. */
void track_copy(struct track *to, const struct track *from);

#endif
