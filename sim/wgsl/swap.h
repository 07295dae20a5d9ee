/* Floats added by atomicExchange. */
#ifndef WGSIM_WGSL_SWAP_H
#define WGSIM_WGSL_SWAP_H

#include "sim/wgsl/ast.h"

/* Marks the exchanges of a function that put back a float sum of which what an exchange took out of
 * the same variable is a part: out, add, in, and again with what came out. */
void wgsl_mark_swaps(struct wgsl_function *function);

#endif
