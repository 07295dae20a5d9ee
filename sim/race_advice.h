/* What to do about a race. */
#ifndef SIM_RACE_ADVICE_H
#define SIM_RACE_ADVICE_H

#include "sim/races.h"

bool race_is_of_workgroup(const struct races *races, const struct race *race);

/* "workgroupBarrier()", of an enum wg_op; the one that would order the two. */
const char *race_barrier_name(uint8_t op);
const char *race_barrier(const struct races *races, const struct race *race);

/* A barrier whose line is between the two and that orders another address space; NULL: none. */
const struct wg_site *race_wrong_barrier(const struct races *races, const struct race *race);

/* publish: whether an atomic stands between the two. NULL: what is said of the kind. */
const char *race_advice(const struct races *races, const struct race_entry *entry,
                        enum finding_kind kind, bool publish, struct findings *findings);

#endif
