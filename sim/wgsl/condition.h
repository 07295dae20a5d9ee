/* Conditions of #if. */
#ifndef WGSIM_WGSL_CONDITION_H
#define WGSIM_WGSL_CONDITION_H

#include "sim/wgsl/macro.h"

/* Evaluates what stands after #if as C's preprocessor does, in 64 bits; names that are no macros
 * are 0. Returns -1 when it is malformed, else whether it holds. */
int condition_holds(struct wgsl_macros *macros, const char *text, size_t length);

#endif
