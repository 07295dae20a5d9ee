/* How the verdicts of a kernel are printed. */
#ifndef SIM_CLI_PROGRESS_OUTPUT_H
#define SIM_CLI_PROGRESS_OUTPUT_H

#include <jansson.h>

#include "sim/progress/decide.h"

/* Schema wgsim-progress/1. */
json_t *progress_kernel_json(const struct decision *decision, const char *kernel);

/* With the counterexample to model `shown`, if that is not negative. -1: out of memory. */
int progress_kernel_print(const struct decision *decision, const char *kernel, int shown);

#endif
