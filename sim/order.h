/* Atomics on a variable that nothing else touches: nothing races, but the order of a store and what
 * others do may matter. */
#ifndef SIM_ORDER_H
#define SIM_ORDER_H

#include "sim/touch.h"

/* A row on a variable of which the order is looked at. */
void order_row(const struct row *row, uint32_t mask);

#endif
