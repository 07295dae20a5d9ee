/* What accesses and prints of a kernel call in the simulator when they cannot go the straight way.
 */
#ifndef SIM_ACCESS_H
#define SIM_ACCESS_H

#include "wgsim/kernel.h"

extern const struct wg_ops access_ops;

#endif
