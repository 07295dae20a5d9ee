/* Whether the order of two atomics of a workgroup seems to matter: cheap, of a few workgroups by
 * themselves. */
#ifndef SIM_ORDER_SCREEN_H
#define SIM_ORDER_SCREEN_H

#include "sim/between.h"
#include "sim/dispatch/dispatch.h"
#include "sim/races.h"

/* Whether a result depends on which of two workgroups comes first to two atomics, as far as a few
 * by themselves show it; fills in which they were. */
bool order_screen_between(const struct dispatch *dispatch, struct between_entry *entry,
                          bool adds_floats);

/* Fills in what is seen of a race of which the order is looked at, in a dispatch that is over. */
void order_screen(const struct dispatch *dispatch, struct race_entry *entry, bool adds_floats);

#endif
