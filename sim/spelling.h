/* The names that what is said of a kernel uses. Whoever finds something writes WGSL's; a reader of
 * a kernel in C knows the macros of wgsim/kernel.h. */
#ifndef SIM_SPELLING_H
#define SIM_SPELLING_H

#include <stdbool.h>

#include "sim/arena.h"
#include "wgsim/kernel.h"

/* Whether the kernel was written in C; one that was made of a shader was not. */
bool spelling_is_c(const struct wg_kernel *kernel);
/* A text with the macros of C in place of WGSL's names; itself where it has none. NULL: out of
 * memory. */
const char *spelling_in_c(struct arena *arena, const char *text);

#endif
