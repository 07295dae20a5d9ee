/* Running this program again, for what it prints. */
#ifndef SIM_CLI_AGAIN_H
#define SIM_CLI_AGAIN_H

#include "sim/buf.h"
#include "wgsim/wgsim.h"

/* Runs it with the arguments, which end with NULL and begin with the command, and collects its
 * standard output. Its exit status must be 0 or 1. */
int again_run(char *const *arguments, struct buf *output, struct wgsim_error *err);

#endif
