/* What a report adds to the events of its run: who waits for whom in a deadlock, as slices with
 * their reasons and arrows between them, and the findings. */
#ifndef SIM_TRACE_WAITS_H
#define SIM_TRACE_WAITS_H

#include "sim/report/report.h"
#include "sim/trace/recorder.h"

void waits_write(const struct recorder *recorder, const struct report *report);

#endif
