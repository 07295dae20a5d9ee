/* Options for traces. */
#include "sim/cli/trace_options.h"

#define AT(member) offsetof(struct trace_cli, member)

static const char *const level_names[] = {"workgroups", "steps", NULL};

const struct cli_option trace_option_table[] = {
    {"trace", NULL, 0, CLI_STRING, AT(path), "FILE", NULL,
     "record the run in a file, for 'wgsim replay', 'wgsim report', Perfetto and chrome://tracing"},
    {"trace-level", NULL, 0, CLI_CHOICE, AT(level), NULL, level_names,
     "what a trace has slices of: workgroups and their waits, or also steps of subgroups "
     "(workgroups)"},
    {0},
};
