/* Shared objects are loaded in a child first: the dynamic linker trusts them, and where one is
 * damaged it crashes, or ends the program with words of its own. */
#ifndef SIM_CLI_TRIAL_H
#define SIM_CLI_TRIAL_H

#include "wgsim/wgsim.h"

/* -1 with a message where a child that loads the kernel object does not come to its end. What is
 * wrong with one that can be loaded is not said here. */
int trial_load(const char *path, struct wgsim_error *err);

#endif
