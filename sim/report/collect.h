/* Collecting what there is to say about a run once it is over. */
#ifndef SIM_REPORT_COLLECT_H
#define SIM_REPORT_COLLECT_H

#include "sim/report/report.h"

/* Fills counts, sites, variables and outputs from report->run, checks the outputs, and sorts the
 * findings. */
int report_collect(struct report *report, const struct report_request *request,
                   struct wgsim_error *err);

#endif
