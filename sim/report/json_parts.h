/* The parts of a report as JSON. */
#ifndef SIM_REPORT_JSON_PARTS_H
#define SIM_REPORT_JSON_PARTS_H

#include "sim/report/maker.h"
#include "sim/report/report.h"

json_t *json_limiters(struct maker *m, uint32_t limiters);
json_t *json_findings(struct maker *m, const struct report *report);
/* NULL: nothing is unusual. */
json_t *json_scheduling(struct maker *m, const struct run_options *run);
json_t *json_deadlock(struct maker *m, const struct report *report);

#endif
