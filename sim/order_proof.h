/* Whether results depend on the order in which invocations come to two atomics. The job is run
 * again, and again with those that come there going on one after the other, from either end: a
 * result that is another one then is the proof. */
#ifndef SIM_ORDER_PROOF_H
#define SIM_ORDER_PROOF_H

#include "sim/between.h"
#include "sim/lost.h"
#include "sim/races.h"
#include "sim/run.h"

/* What of a finished run may depend on the order. */
struct order_doubts {
    struct races *races;   /* those of which the order is looked at */
    const bool *made_sure; /* by race: it is not in doubt */
    struct lost *lost;
    struct between *between;
    bool adds_floats; /* as of results_keep */
};

/* Fills in their proofs, where there are any. -1: the job could not be run again. */
int order_prove(const struct run *run, const struct order_doubts *doubts, struct wgsim_error *err);

#endif
