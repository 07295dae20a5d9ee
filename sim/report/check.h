/* Whether a document is a report, as far as others rely on it. */
#ifndef SIM_REPORT_CHECK_H
#define SIM_REPORT_CHECK_H

#include <jansson.h>

#include "wgsim/wgsim.h"

/* -1 where a member that every report of the schema has is missing, or one has another type than it
 * has in reports; the message names it and `name`, the file. Members that are not known are left
 * alone. */
int report_check(const json_t *report, const char *name, struct wgsim_error *err);

#endif
