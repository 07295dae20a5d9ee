/* What `wgsim run` is asked for, and what it runs by that: also when a trace asks again. */
#ifndef SIM_CLI_RUN_COMMAND_H
#define SIM_CLI_RUN_COMMAND_H

#include "sim/buf.h"
#include "sim/cli/report_output.h"
#include "sim/cli/run_options.h"
#include "sim/cli/subject.h"
#include "sim/cli/trace_options.h"
#include "sim/trace/inputs.h"

enum { RUN_COMMAND_TRACE = 4, RUN_COMMAND_TABLES = 8, RUN_COMMAND_FILES = SUBJECT_FILES + 1 };

/* The arguments. Must stay where it is: its tables point into it. */
struct run_command {
    struct run_cli run;
    struct device_options device;
    struct report_options report;
    struct trace_cli trace;
    struct subject_cli subject;
    struct cli_list dumps;
    struct cli_table tables[RUN_COMMAND_TABLES];
    struct cli_usage usage;
    const char *operand;
    struct buf line;  /* the command line as it was typed */
    char **arguments; /* a copy: parsing moves them */
    int argument_count;
};

/* Before the usage is parsed into it; argv must outlive it. -1: out of memory. Must be released
 * either way. */
int run_command_init(struct run_command *command, int argc, char **argv, struct wgsim_error *err);
void run_command_release(struct run_command *command);

/* A run made ready. */
struct run_ready {
    struct setup setup;
    struct subject subject;
    struct job job;
    finding_set fail_on;
    struct suppress rules;
    const char *files[RUN_COMMAND_FILES]; /* that it read */
    size_t file_count;
};

/* After parsing. Must be released either way. */
int run_ready_open(struct run_ready *ready, const struct run_command *command,
                   struct wgsim_error *err);
void run_ready_release(struct run_ready *ready);

/* Runs it, heard by the listeners, and leaves out of the report what is to be suppressed. The
 * report must be released either way. */
int run_ready_run(struct run_ready *ready, const struct run_command *command,
                  const struct listener *listeners, size_t listener_count, struct report *report,
                  struct wgsim_error *err);

/* What a trace keeps of it. */
struct trace_subject run_ready_subject(const struct run_ready *ready);

#endif
