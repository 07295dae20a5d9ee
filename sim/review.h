/* A closer look at the races of a run, by running it again: the values that were read and stored,
 * and which races are published by a flag. */
#ifndef SIM_REVIEW_H
#define SIM_REVIEW_H

#include "sim/races.h"
#include "sim/run.h"
#include "sim/spins.h"

/* *published: by race, for the caller to free. spins: as the run left them. */
int review_races(const struct run *run, struct races *races, const struct spins *spins,
                 bool **published, struct wgsim_error *err);

#endif
