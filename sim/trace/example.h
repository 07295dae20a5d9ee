/* The trace of a counterexample to a progress model: the steps that lead to where it fails, and
 * those that may then be repeated for ever. A step takes one unit of time. */
#ifndef SIM_TRACE_EXAMPLE_H
#define SIM_TRACE_EXAMPLE_H

#include <jansson.h>

#include "sim/progress/decide.h"

struct example_about {
    char *const *arguments; /* of the command */
    int argument_count;
    const char *kernel;
    json_t *report; /* what the command prints as JSON */
    int status;     /* exit status */
};

/* `model` is one that fails. */
int example_write(const char *path, const struct decision *decision, int model,
                  const struct example_about *about, struct wgsim_error *err);

#endif
