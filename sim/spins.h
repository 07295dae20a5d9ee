/* Loops that do nothing but load one atomic: whoever is in one waits for another's store, and goes
 * on with the same value in whatever order the two run. */
#ifndef SIM_SPINS_H
#define SIM_SPINS_H

#include "sim/kernel.h"
#include "sim/track.h"

/* What a lane of a subgroup loaded last at a site, and in which visit of the loop around it. */
struct poll {
    uint64_t word, visit;
    uint32_t lane;
};

struct spins {
    const struct kernel *kernel;
    uint32_t *only; /* by loop: 1 + the one site that is in it, 0: none was seen, or SPINS_MANY */
    uint32_t *loop; /* by site: 1 + the innermost loop around it; 0: none was seen */
    bool *wanders;  /* by site: loads one word after the other */
};

#define SPINS_MANY UINT32_MAX

/* -1: out of memory. */
int spins_init(struct spins *spins, const struct kernel *kernel);
void spins_release(struct spins *spins);

/* An access of a lane; `poll` is of its subgroup and site. */
void spins_note(struct spins *spins, const struct wg_site *site, const struct track *track,
                uint32_t lane, uint64_t word, struct poll *poll);
/* A barrier opens for lanes that are there. */
void spins_note_barrier(struct spins *spins, const struct track *track);

/* Whether an atomic load is such a wait. */
bool spins_is_wait(const struct spins *spins, const struct wg_site *site);

#endif
