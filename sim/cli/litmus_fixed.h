/* wgsim progress --litmus --fixed: which litmus tests end under one scheduler, its fingerprint. */
#ifndef SIM_CLI_LITMUS_FIXED_H
#define SIM_CLI_LITMUS_FIXED_H

#include <stdbool.h>

#include "sim/cli/run_options.h"

/* Runs each test of the file once, and prints how it ended. Returns the exit status. */
int litmus_fixed(const char *path, bool json, const struct setup *setup);

#endif
