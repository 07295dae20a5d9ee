/* Kernels that others have compiled: shared objects are loaded in a child first. The dynamic linker
 * trusts them, and where one is damaged it crashes, or ends the program with words of its own. */
#ifndef SIM_CLI_TRIAL_H
#define SIM_CLI_TRIAL_H

#include "sim/kernel.h"

/* Opens a kernel in C or a kernel object, as open_kernel does; -1 with a message also where it
 * crashes before anything is run. */
int trial_open(struct kernel *kernel, const char *path, const char *include,
               struct wgsim_error *err);

#endif
