/* A run under the watchdog, recorded in a trace if its command says so. */
#ifndef SIM_CLI_RUN_TRACE_H
#define SIM_CLI_RUN_TRACE_H

#include "sim/cli/run_command.h"
#include "sim/trace/trace.h"

/* *trace stays NULL if none was asked for. It must be freed either way. */
int run_trace_open(struct trace **trace, const struct run_command *command,
                   struct wgsim_error *err);

/* Runs it, heard by the trace unless that is NULL. The report must be released either way. */
int run_trace_run(struct run_ready *ready, const struct run_command *command, struct trace *trace,
                  struct report *report, struct wgsim_error *err);

/* Completes the trace, which may be NULL. status: the exit status of the run. */
int run_trace_finish(struct trace *trace, const struct run_command *command,
                     const struct run_ready *ready, const struct report *report, int status,
                     struct wgsim_error *err);

#endif
