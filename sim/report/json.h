/* A report as JSON, schema "wgsim-report/1". */
#ifndef SIM_REPORT_JSON_H
#define SIM_REPORT_JSON_H

#include <jansson.h>

#include "sim/report/report.h"

/* NULL when out of memory. */
json_t *report_to_json(const struct report *report);

#endif
