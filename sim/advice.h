/* Advice on speed from the counts of a run: bank conflicts and the padding that removes them,
 * uncoalesced storage accesses, occupancy, idle lanes. */
#ifndef SIM_ADVICE_H
#define SIM_ADVICE_H

#include "sim/finding.h"
#include "sim/run.h"
#include "sim/samples.h"

void advice_add(const struct run *run, const struct samples *samples, struct findings *findings);

#endif
