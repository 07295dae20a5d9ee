/* Where a lane is in the structured flow of its kernel: calls and iterations of the loops around
 * it, as the marks in its log tell. Accesses of two lanes belong together only where these agree.
 */
#ifndef SIM_TRACK_H
#define SIM_TRACK_H

#include <stdbool.h>
#include <stdint.h>

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

/* Takes note of flow (WG_FLOW_LEFT and WG_FLOW_TURN), and of a mark (enum wg_mark). */
void track_flow(struct track *track, uint32_t flow);
void track_mark(struct track *track, uint32_t site, uint32_t mark);

/* Whether it is in a turn of a loop, or in a call. */
bool track_is_inside(const struct track *track);

/* Copies what is in use. */
void track_copy(struct track *to, const struct track *from);

#endif
