/* What changed between two reports, as JSON has them. */
#ifndef SIM_REPORT_DIFF_H
#define SIM_REPORT_DIFF_H

#include <jansson.h>

/* A document of schema wgsim-diff/1: "changes", an array of {"what", "a", "b"} in the order of the
 * report; "lines", the same for each line and access whose counts changed, null where only one
 * report has it; "gone" and "new", the findings that only the first or only the second report has.
 * NULL: out of memory. */
json_t *report_diff(const json_t *a, const json_t *b);

#endif
