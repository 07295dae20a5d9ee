/* Loops that wait for another workgroup. */
#ifndef WGSIM_WGSL_WAIT_H
#define WGSIM_WGSL_WAIT_H

#include "sim/wgsl/ast.h"

/* Marks the atomics of storage on which loops of a function wait: some turn changes nothing, and
 * what an atomic gives decides whether it is the last. */
void wgsl_mark_waits(struct wgsl_function *function);

#endif
