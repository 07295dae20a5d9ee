/* What if more workgroups were resident, or fewer dispatched: runs of the same dispatch on a
 * hypothetical device, whose units hold any number of workgroups. */
#ifndef SIM_WHATIF_H
#define SIM_WHATIF_H

#include "sim/dispatch/dispatch.h"

struct whatif {
    struct dispatch_spec spec;
    const struct device *device; /* the real one */
    const struct run_options *options;
    uint32_t held;      /* workgroups that a unit of the real device holds */
    uint64_t max_steps; /* of each run */
    uint32_t ends_with; /* residents with which it is known to end; 0: none */
    /* Of all runs; may be NULL. */
    const struct row_observer *observer, *rows;
    const struct listener *listener;
};

/* Runs `groups` workgroups (0: as many as dispatched, else a 1-D dispatch) with at most `residents`
 * resident; 0: on the device as it is. Returns the verdict; VERDICT_SUSPECTED also where memory
 * would not suffice. -1: error. */
int whatif_run(const struct whatif *whatif, uint32_t residents, uint32_t groups,
               struct wgsim_error *err);

/* The smallest number of residents from which on the dispatch ends, by both sides: it ends with
 * *residents, and hangs with one less. `likely` is tried first. False in *found: none was found
 * within the step limit. */
int whatif_smallest_residency(const struct whatif *whatif, uint64_t hangs_with, uint64_t likely,
                              uint64_t total, uint64_t *residents, bool *found,
                              struct wgsim_error *err);
/* The largest 1-D dispatch that ends on the device, by both sides; `hangs` is one that does not. */
int whatif_largest_dispatch(const struct whatif *whatif, uint64_t likely, uint64_t hangs,
                            uint64_t *groups, bool *found, struct wgsim_error *err);

#endif
