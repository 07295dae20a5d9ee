/* Stale words: read in a turn of a loop in which the store that wrote them wrote only their
 * neighbours, and fewer than before. Not those of a store that updates what was there, for they are
 * meant to stay. */
#ifndef SIM_STALE_H
#define SIM_STALE_H

#include "sim/kernel.h"
#include "sim/seat.h"

struct stale_read {
    const struct kernel *kernel;
    struct seat *seat;
    const struct cells *cells;
    const struct wg_var *var;
    uint32_t width; /* invocations in a row of the workgroup */
    uint64_t piece;
    const struct track *track; /* of the reader */
};

/* Whether it is; *turn: of the loop around both, when it is read. */
bool stale_is(const struct stale_read *read, uint32_t *turn);

/* Takes note of a store in a workgroup, by so many invocations. */
void stale_note_store(struct seat *seat, const struct wg_site *site, const struct trip *trip,
                      uint32_t invocations);

#endif
