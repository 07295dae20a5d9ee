/* Subgroup operations: what each lane gets of what all gave. */
#ifndef SIM_COLLECTIVE_H
#define SIM_COLLECTIVE_H

#include "sim/lanes.h"
#include "wgsim/kernel.h"

/* lanes[i] holds lane i's operand and receives its result. Every lane of `group` gave the same
 * operation, type and number of components. Reductions go in ascending lane order; a value shuffled
 * from a lane outside the group is 0. */
void collective_perform(struct wg_collective *lanes, struct lanes group);

#endif
