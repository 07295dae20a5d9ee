/* What a sweep found, as JSON, and how it is printed: from that alone, for it may come out of files
 * in which other processes left it. */
#ifndef SIM_CLI_SWEEP_OUTPUT_H
#define SIM_CLI_SWEEP_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>

#include "sim/cli/sweep_variants.h"
#include "sim/sweep.h"

/* An item for each run is {"run": R, "difference": D}, as they stand in the report; without the
 * latter if nothing differs. Item 0 is the run that the others are compared with. */
json_t *sweep_item(const struct sweep_variant *variant, const struct sweep_result *base,
                   const struct sweep_result *result);
/* Of a run that was not possible. */
json_t *sweep_item_failed(const struct sweep_variant *variant, const struct wgsim_error *why);

struct sweep_findings {
    const char *kernel, *command;
    const char *trace;    /* NULL, or what names of traces begin with */
    json_t *const *items; /* NULL: missing */
    size_t count;
};

/* Whether a run differs in a way that none before it does, or is what such a run is compared with,
 * or does not end though it is as the user gave it: a trace is kept of these. */
bool sweep_is_telling(const struct sweep_findings *findings, size_t item);
/* "PREFIX-N.json", to be freed. NULL: out of memory. */
char *sweep_trace_path(const char *prefix, size_t item);

/* Prints it and returns the exit status. */
int sweep_print(const struct sweep_findings *findings, bool json);
/* The exit status alone: 1 if something differs or did not end well, 2 if every run was rejected.
 */
int sweep_status(const struct sweep_findings *findings);

#endif
