/* Comparing what was recorded with what came out. */
#ifndef SIM_TRACE_COMPARE_H
#define SIM_TRACE_COMPARE_H

#include <jansson.h>
#include <stdbool.h>

#include "sim/buf.h"

/* Whether `now` has all of `then` with equal values; what only `now` has does not count. The first
 * difference: where, as "dispatches[0].cycles", and both values, "-" for what is missing. */
bool compare_json(const json_t *then, const json_t *now, struct buf *where, struct buf *values);

/* Where two schedules (see trace_outcome) part, in words; nothing for equal ones. */
void compare_schedules(const json_t *then, const json_t *now, struct buf *words);

#endif
