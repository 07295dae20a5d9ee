/* Recording a run in a trace: one JSON file of schema "wgsim-trace/1", see wgsim-trace(5). */
#ifndef SIM_TRACE_TRACE_H
#define SIM_TRACE_TRACE_H

#include "sim/report/report.h"
#include "sim/trace/inputs.h"

struct trace;

/* `steps`: with a slice for every step of a subgroup. Nothing has the path's name until the trace
 * is whole. The path must stay. */
struct trace *trace_open(const char *path, bool steps, struct wgsim_error *err);
/* Frees it, without a trace of it if it was not finished. NULL is ignored. */
void trace_free(struct trace *trace);

/* Must hear the run. */
struct listener trace_listener(struct trace *trace);

/* What the trace says besides what it heard. */
struct trace_about {
    struct trace_subject subject;
    const struct report *report;
    const char *text, *first_screen; /* the report as printed; its first part */
    char *const *arguments;          /* of the command */
    int argument_count;
    int status; /* exit status */
};

/* The run is over: completes the file and gives it its name. */
int trace_finish(struct trace *trace, const struct trace_about *about, struct wgsim_error *err);

/* The outcome of a run as JSON, to be compared: its schedule and the contents of its buffers.
 * NULL: out of memory. */
struct fingerprint;
json_t *trace_outcome(const struct fingerprint *print, const struct job *job);

#endif
