/* Whether the order of two atomics of a workgroup seems to matter: cheap, of a few workgroups by
 * themselves. */
#ifndef SIM_ORDER_SCREEN_H
#define SIM_ORDER_SCREEN_H

#include "sim/dispatch/dispatch.h"
#include "sim/races.h"

/* Fills in what is seen of a race of which the order is looked at, in a dispatch that is over. */
void order_screen(const struct dispatch *dispatch, struct race_entry *entry, bool adds_floats);

#endif
