/* What a report says of the races of a run. */
#ifndef SIM_RACE_REPORT_H
#define SIM_RACE_REPORT_H

#include "sim/job.h"
#include "sim/races.h"

/* Adds a finding for each entry. publish: for each entry, whether it is ordered once atomics are;
 * one of atomics, whether its order was made sure of. NULL: none is, and none of atomics is
 * reported.
 */
void races_report(const struct races *races, const struct job *job, const bool *publish,
                  struct findings *findings);

#endif
