/* What `wgsim progress` is asked for, and what it explores by that: also when a trace asks again.
 */
#ifndef SIM_CLI_PROGRESS_COMMAND_H
#define SIM_CLI_PROGRESS_COMMAND_H

#include "sim/cli/run_options.h"
#include "sim/cli/split.h"
#include "sim/cli/subject.h"
#include "sim/progress/graph.h"
#include "sim/trace/inputs.h"

struct progress_options {
    const char *litmus, *model, *fail_on;
    struct split_options split;
    uint64_t max_states, max_bytes;
    const char *trace;
    bool fixed, json, quiet;
};

enum { PROGRESS_COMMAND_TABLES = 5 };

/* The arguments. Must stay where it is: its tables point into it. */
struct progress_command {
    struct progress_options options;
    struct run_cli run;
    struct device_options device;
    struct subject_cli subject;
    struct cli_table tables[PROGRESS_COMMAND_TABLES];
    struct cli_usage usage;
    struct cli_operands operands;
    char **arguments; /* a copy: parsing moves them */
    int argument_count;
};

/* Before the usage is parsed into it; argv must outlive it. -1: out of memory. Must be released
 * either way. */
int progress_command_init(struct progress_command *command, int argc, char **argv,
                          struct wgsim_error *err);
void progress_command_release(struct progress_command *command);

/* After parsing: whether the options go together. */
int progress_command_check(const struct progress_command *command, struct wgsim_error *err);

struct graph_options progress_command_limits(const struct progress_command *command);

/* A kernel made ready. */
struct progress_ready {
    struct setup setup;
    struct subject subject;
    struct job job;
    const char *files[SUBJECT_FILES]; /* that it read */
    size_t file_count;
};

/* Must be released either way. */
int progress_ready_open(struct progress_ready *ready, const struct progress_command *command,
                        struct wgsim_error *err);
void progress_ready_release(struct progress_ready *ready);

/* What a trace keeps of it. */
struct trace_subject progress_ready_subject(const struct progress_ready *ready);

#endif
